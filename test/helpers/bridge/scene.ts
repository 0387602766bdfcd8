import type { Socket } from 'node:net';
import * as z from 'zod';
import { pairAssistant } from '../assistant.ts';
import { openSocket } from './raw.ts';
import { startWorld, type World } from '../world.ts';
import { listAllItems } from '../listAllItems.ts';

const approvalId = z.object({ approval: z.object({ id: z.string() }) });
const made = z.object({ listingId: z.string() });

export type Scene = Awaited<ReturnType<typeof startScene>>;
export type Paired = Awaited<ReturnType<typeof pairWithId>>;

/** Pairs an assistant and returns it with the id that the person sees. */
export const pairWithId = async (world: World, url: string, name: string) => {
  const before = new Set(
    world
      .companion()
      .assistants.list()
      .assistants.map((one) => one.assistantId),
  );
  const assistant = await pairAssistant(world, url, name);
  const view = world
    .companion()
    .assistants.list()
    .assistants.find((one) => !before.has(one.assistantId));
  return { ...assistant, assistantId: view?.assistantId ?? '' };
};

/** Starts a companion with its bridge and two paired assistants. */
export const startScene = async (options: Parameters<typeof startWorld>[0] = {}) => {
  const world = await startWorld(options);
  const bridge = await world.bridge();
  const url = bridge.url;
  const [one, other] = [await pairWithId(world, url, 'Tidy Helper'), await pairWithId(world, url, 'Other Helper')];
  const draft = async (assistant: Paired): Promise<string> =>
    made.parse((await assistant.call('POST', '/listings', { body: {} })).body).listingId;
  return {
    world,
    url,
    one,
    other,
    draft,
    /** Requests an approval by this assistant and returns the ids of the approval and its listing. */
    question: async (assistant: Paired) => {
      const listingId = await draft(assistant);
      const { body } = await assistant.call('DELETE', `/listings/${listingId}`);
      return { id: approvalId.parse(body).approval.id, listingId };
    },
    close: async () => {
      await bridge.stop();
      await world.close();
    },
  };
};

export type SocketScene = Awaited<ReturnType<typeof startSocketScene>>;

/** Starts a scene whose connections stay open until it is closed. */
export const startSocketScene = async () => {
  const scene = await startScene();
  const sockets: Socket[] = [];
  return {
    ...scene,
    /** All connections of the test; a test adds those that it opens itself. */
    sockets,
    open: async (): Promise<Socket> => {
      const socket = await openSocket(scene.url);
      sockets.push(socket);
      return socket;
    },
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await scene.close();
    },
  };
};

/** Returns everything that a refused request must not change: the service's requests, and the companion's data. */
export const readEverything = async ({ world }: Scene) => {
  const { approvals, items, assistants, offers } = world.companion();
  return {
    calls: await world.practice.control('GET', '/calls'),
    journal: await world.practice.journal(),
    approvals: approvals.listPending().map(({ approvalId, digest }) => [approvalId, digest]),
    items: listAllItems({ items }).map(({ itemId, step }) => [itemId, step]),
    assistants: assistants
      .list()
      .assistants.map(({ assistantId, scope, folders, paused }) => [assistantId, scope, folders, paused]),
    pairings: assistants.list().pairings.map(({ pairingId }) => pairingId),
    offers: offers.list(),
  };
};
