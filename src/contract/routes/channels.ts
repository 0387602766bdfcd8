import * as z from 'zod';
import { id } from '../fields.ts';
import { declareRoutes } from '../route.ts';

const connection = z.object({ channelId: id, connectionId: id });

export const channelRoutes = declareRoutes('Other channels', {
  listConnections: {
    method: 'GET',
    path: '/channels/connections',
    summary: 'List channel accounts other than the marketplace.',
    access: 'agent',
    namesPersonPages: true,
  },
  deleteConnection: {
    method: 'DELETE',
    path: '/channels/connections/{channelId}/{connectionId}',
    summary: 'Disconnect a channel account.',
    access: 'agent',
    askFirst: true,
    params: () => connection,
    namesPersonPages: true,
  },
  connectChannel: {
    method: 'GET',
    path: '/channels/{channelId}/connect',
    summary: 'Get a link for the person to connect a channel.',
    access: 'agent',
    params: () => z.object({ channelId: id }),
    personPage: { address: 'connectUrl', visible: ['expiresIn', 'expiresAt'] },
  },
  readConnectionOptions: {
    method: 'GET',
    path: '/channels/{channelId}/connections/{connectionId}/options',
    summary: 'Read the publishing options of a channel account.',
    access: 'agent',
    params: () => connection,
    namesPersonPages: true,
  },
});
