import { isoOf } from '../clock.ts';
import { atomically, run } from '../database.ts';
import {
  connectableChannel,
  connectionsOf,
  publishingOptions,
  requireOwnConnection,
  type Connection,
} from '../world/listings/channels.ts';
import { recordEffect } from '../world/journal.ts';
import { createLink } from '../world/links.ts';
import type { Answers, RouteNameOf } from './answer.ts';

const toApiConnection = ({ connectionId, channelId, name, createdAt }: Connection) => ({
  connectionId,
  channelId,
  name,
  connectedAt: isoOf(createdAt),
});

export const channelAnswers: Answers<RouteNameOf<'Other channels'>> = {
  listConnections: ({ world, person }) => ({
    body: { connections: connectionsOf(world, person.userId).map(toApiConnection) },
  }),

  deleteConnection: ({ world, person, input }) => {
    const { channelId, connectionId } = input.params;
    atomically(world.db, () => {
      requireOwnConnection(world, person, channelId, connectionId);
      run(world.db, 'DELETE FROM connections WHERE connectionId = ?', connectionId);
      recordEffect(world, 'disconnected', { userId: person.userId, channelId });
    });
    return { body: { connectionId, deleted: true } };
  },

  connectChannel: ({ world, person, input }) => {
    const { channelId } = connectableChannel(input.params.channelId);
    return {
      body: { connectUrl: atomically(world.db, () => createLink(world, person.userId, 'channel', { channelId })) },
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
