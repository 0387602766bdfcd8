import { once } from 'node:events';
import * as z from 'zod';
import type { CallAnswer, CallInput, CallName } from '../../../src/ipc/calls.ts';
import { createUiClient } from './createUiClient.ts';

const reply = z.object({
  id: z.literal(7),
  reply: z.union([
    z.object({ ok: z.literal(true), value: z.unknown() }),
    z.object({ ok: z.literal(false), problem: z.object({ code: z.string(), sentence: z.string() }) }),
  ]),
});

export type WindowCalls = {
  ask: <N extends CallName>(name: N, input: CallInput<N>, proofId?: string) => Promise<CallAnswer<N>>;
  close: () => void;
  /** Resolves when the host ends the connection. */
  closed: () => Promise<void>;
  /** Connects once more with the same secret, like a second tab or a page that lost its connection. */
  openAnother: () => Promise<WindowCalls>;
};

const connectWindow = async (client: ReturnType<typeof createUiClient>, secret: string): Promise<WindowCalls> => {
  const { socket } = await client.open(secret);
  const ask = async <N extends CallName>(name: N, input: CallInput<N>, proofId?: string): Promise<CallAnswer<N>> => {
    const { promise, resolve } = Promise.withResolvers<z.infer<typeof reply>['reply']>();
    // Change messages can arrive before the answer, even in the same packet.
    const onMessage = (data: Buffer): void => {
      const read = reply.safeParse(JSON.parse(data.toString()));
      if (read.success) resolve(read.data.reply);
    };
    socket.on('message', onMessage);
    socket.send(JSON.stringify({ id: 7, name, input, proofId }));
    const answer = await promise;
    socket.off('message', onMessage);
    if (answer.ok) return answer.value as CallAnswer<N>;
    throw new Error(`${answer.problem.code}: ${answer.problem.sentence}`);
  };
  const closed = async (): Promise<void> => void (await once(socket, 'close'));
  return { ask, closed, close: () => socket.close(), openAnother: () => connectWindow(client, secret) };
};

/**
 * Opens a window's connection to a host and makes calls like its page. A refusal is thrown with its code and sentence.
 */
export const openWindowCalls = async (link: string): Promise<WindowCalls> => {
  const client = createUiClient(link);
  return connectWindow(client, await client.enter());
};
