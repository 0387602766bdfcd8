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

/**
 * Opens a window's connection to a host and makes calls like its page. A refusal is thrown with its code and sentence.
 */
export const openWindowCalls = async (link: string) => {
  const client = createUiClient(link);
  const { socket } = await client.open(await client.enter());
  const ask = async <N extends CallName>(name: N, input: CallInput<N>): Promise<CallAnswer<N>> => {
    const { promise, resolve } = Promise.withResolvers<z.infer<typeof reply>['reply']>();
    // Change messages can arrive before the answer, even in the same packet.
    const onMessage = (data: Buffer): void => {
      const read = reply.safeParse(JSON.parse(data.toString()));
      if (read.success) resolve(read.data.reply);
    };
    socket.on('message', onMessage);
    socket.send(JSON.stringify({ id: 7, name, input }));
    const answer = await promise;
    socket.off('message', onMessage);
    if (answer.ok) return answer.value as CallAnswer<N>;
    throw new Error(`${answer.problem.code}: ${answer.problem.sentence}`);
  };
  return { ask, close: () => socket.close() };
};

export type WindowCalls = Awaited<ReturnType<typeof openWindowCalls>>;
