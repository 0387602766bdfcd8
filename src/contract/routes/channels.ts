import * as z from 'zod';
import { id, openObject } from '../fields.ts';
import { declareRoutes } from '../route.ts';

const group = 'Other channels';
const connection = z.object({ channelId: id, connectionId: id });

export const channelRoutes = declareRoutes({
  listConnections: {
    group,
    method: 'GET',
    path: '/channels/connections',
    summary: 'List channel accounts other than the marketplace.',
    access: 'agent',
    answer: () => openObject,
    namesPersonPages: true,
  },
  deleteConnection: {
    group,
    method: 'DELETE',
    path: '/channels/connections/{channelId}/{connectionId}',
    summary: 'Disconnect a channel account.',
    access: 'agent',
    askFirst: true,
    params: () => connection,
    answer: () => openObject,
    namesPersonPages: true,
  },
  connectChannel: {
    group,
    method: 'GET',
    path: '/channels/{channelId}/connect',
    summary: 'Get a link for the person to connect a channel.',
    access: 'agent',
    params: () => z.object({ channelId: id }),
    answer: () => openObject,
    personPage: { address: 'connectUrl', visible: ['expiresIn', 'expiresAt'] },
  },
  readConnectionOptions: {
    group,
    method: 'GET',
    path: '/channels/{channelId}/connections/{connectionId}/options',
    summary: 'Read the publishing options of a channel account.',
    access: 'agent',
    params: () => connection,
    answer: () => openObject,
    namesPersonPages: true,
  },
});
