import type { ProblemView } from '../core/base/problem.ts';
import type { CompanionWindow, Reply } from '../ipc/calls.ts';
import type { NoSecret, WindowSecret } from './windowSecret.ts';

/** What a page says by itself, when the companion does not. */
export type WindowProblems = Record<NoSecret | 'awayBefore' | 'awayDuring', ProblemView>;

/**
 * What the page gets as `window.companion`: the calls of the table over one WebSocket that says the secret first, and
 * reconnects by itself. The server sends this function to the browser as text, so it uses nothing from outside of itself
 * but types.
 */
export const companionWindow = (
  topics: readonly string[],
  problems: WindowProblems,
  { find, prove, refuse, onOffer }: WindowSecret,
): CompanionWindow => {
  type Waiting = { resolve: (reply: Reply) => void };
  const notLetIn = 4401;
  const listeners = new Set<(topic: string) => void>();
  const waiting = new Map<number, Waiting>();
  let socket: WebSocket | null = null;
  let ready: Promise<boolean>;
  let locked: NoSecret | null = null;
  let base = '';
  let lastId = 0;
  let retryMs = 250;

  const tell = (topic: string): void => listeners.forEach((listener) => listener(topic));

  const lose = (): void => {
    for (const [id, { resolve }] of waiting) {
      waiting.delete(id);
      resolve({ ok: false, problem: problems.awayDuring });
    }
  };

  const receive = (text: string): void => {
    const message = JSON.parse(text) as { topic: string } | { id: number; reply: Reply };
    if ('topic' in message) return tell(message.topic);
    waiting.get(message.id)?.resolve(message.reply);
    waiting.delete(message.id);
  };

  const connectLater = (): void => {
    retryMs = Math.min(retryMs * 2, 4_000);
    setTimeout(() => {
      ready = connect(true);
    }, retryMs);
  };

  const open = (secret: string, again: boolean): Promise<boolean> =>
    new Promise((resolve) => {
      const opening = new WebSocket(`ws://${location.host}/calls`);
      opening.onopen = () => opening.send(JSON.stringify({ secret }));
      opening.onmessage = ({ data }) => {
        if (socket === opening) return receive(String(data));
        // The first message is the greeting.
        ({ base } = JSON.parse(String(data)) as { base: string });
        socket = opening;
        retryMs = 250;
        prove(secret);
        resolve(true);
        // What changed while the line was down is not known, so everything is read again.
        if (again) topics.forEach(tell);
      };
      opening.onclose = ({ code }) => {
        socket = null;
        lose();
        if (code === notLetIn) {
          refuse(secret);
          // There may be another one; if not, the screens say so.
          return resolve(connect(true));
        }
        resolve(false);
        connectLater();
      };
    });

  const connect = async (again: boolean): Promise<boolean> => {
    const found = await find().catch(() => null);
    if (found === null) {
      connectLater();
      return false;
    }
    locked = 'none' in found ? found.none : null;
    if ('secret' in found) return open(found.secret, again);
    if (again) topics.forEach(tell);
    return false;
  };

  ready = connect(false);
  onOffer(() => {
    if (locked === null) return;
    locked = null;
    ready = connect(true);
  });

  return {
    host: 'browser',
    get base() {
      return base;
    },
    call: async (name, input) => {
      if (!(await ready) || socket === null) {
        return { ok: false, problem: locked === null ? problems.awayBefore : problems[locked] };
      }
      const id = (lastId += 1);
      const reply = new Promise<Reply>((resolve) => waiting.set(id, { resolve }));
      socket.send(JSON.stringify({ id, name, input }));
      return reply;
    },
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
