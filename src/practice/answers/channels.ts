import { formatIsoTime } from '../clock.ts';
import { runInTransaction, runStatement } from '../database.ts';
import {
  requireConnectableChannel,
  listPersonConnections,
  publishingOptions,
  requireOwnConnection,
  type Connection,
} from '../world/listings/channels.ts';
import { recordJournalEffect } from '../world/journal.ts';
import { createPersonLink } from '../world/links.ts';
import type { Answers, RouteNameOf } from './answer.ts';

const toApiConnection = ({ connectionId, channelId, name, createdAt }: Connection) => ({
  connectionId,
  channelId,
  name,
  connectedAt: formatIsoTime(createdAt),
});

export const channelAnswers: Answers<RouteNameOf<'Other channels'>> = {
  listConnections: ({ world, person }) => ({
    body: { connections: listPersonConnections(world, person.userId).map(toApiConnection) },
  }),

  deleteConnection: ({ world, person, input }) => {
    const { channelId, connectionId } = input.params;
    runInTransaction(world.db, () => {
      requireOwnConnection(world, person, channelId, connectionId);
      runStatement(world.db, 'DELETE FROM connections WHERE connectionId = ?', connectionId);
      recordJournalEffect(world, 'disconnected', { userId: person.userId, channelId });
    });
    return { body: { connectionId, deleted: true } };
  },

  connectChannel: ({ world, person, input }) => {
    const { channelId } = requireConnectableChannel(input.params.channelId);
    return {
      body: {
        connectUrl: runInTransaction(world.db, () => createPersonLink(world, person.userId, 'channel', { channelId })),
      },
    };
  },

  readConnectionOptions: ({ world, person, input }) => {
    const { channelId, connectionId } = input.params;
    return {
      body: {
        ...toApiConnection(requireOwnConnection(world, person, channelId, connectionId)),
        options: publishingOptions,
      },
    };
  },
};
