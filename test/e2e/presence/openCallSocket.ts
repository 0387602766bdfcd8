import type { Page } from 'playwright/test';
import { WebSocket } from 'ws';
import * as z from 'zod';

const replies = z.object({
  id: z.int(),
  reply: z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), value: z.unknown() }),
    z.object({ ok: z.literal(false), problem: z.object({ code: z.string() }) }),
  ]),
});
type Reply = z.infer<typeof replies>['reply'];

/** A window session of its own at the same companion, so that the screens do not change what it shows. */
export type CallSocket = {
  send: (name: string, input?: object, proofId?: string) => Promise<Reply>;
  /** Throws the code of a refusal. */
  call: <T>(shape: z.ZodType<T>, name: string, input?: object, proofId?: string) => Promise<T>;
  close: () => void;
};

/** Opens the socket of a window with the secret that the page has stored. */
export const openCallSocket = async (page: Page): Promise<CallSocket> => {
  const { host, port, origin } = new URL(page.url());
  const secret = await page.evaluate(() => sessionStorage.getItem('companion'));
  // Node may not resolve names below localhost.
  const socket = new WebSocket(`ws://127.0.0.1:${port}/calls`, { headers: { Host: host, Origin: origin } });
  const waiting = new Map<number, (reply: Reply) => void>();
  const greeted = Promise.withResolvers<void>();
  let lastId = 0;
  socket.on('open', () => socket.send(JSON.stringify({ secret })));
  socket.on('error', greeted.reject);
  socket.on('message', (data: Buffer) => {
    greeted.resolve();
    const { data: message } = replies.safeParse(JSON.parse(data.toString()));
    if (message) waiting.get(message.id)?.(message.reply);
  });
  await greeted.promise;
  const send: CallSocket['send'] = (name, input = {}, proofId) => {
    const id = (lastId += 1);
    const { promise, resolve } = Promise.withResolvers<Reply>();
    waiting.set(id, resolve);
    socket.send(JSON.stringify({ id, name, input, proofId }));
    return promise;
  };
  return {
    send,
    call: async (shape, name, input, proofId) => {
      const reply = await send(name, input, proofId);
      if (!reply.ok) throw new Error(reply.problem.code);
      return shape.parse(reply.value);
    },
    close: () => socket.close(),
  };
};
