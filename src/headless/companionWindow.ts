import type { ProblemView } from '../core/base/problem.ts';
import type { CompanionWindow, Reply } from '../ipc/calls.ts';
import type { NoSecret, WindowSecret } from './windowSecret.ts';

/** What a page says by itself, when the companion does not. */
export type WindowProblems = Record<NoSecret | 'awayBefore' | 'awayDuring', ProblemView>;

type ConnectionEvents = {
  /** A message after the greeting. */
  onMessage: (text: string) => void;
  /** The socket has closed: what was sent by it stays without an answer. */
  onLost: () => void;
  /** There is a socket again, or none to be had: what changed meanwhile is not known. */
  onAgain: () => void;
};

type WindowConnection = {
  /** The socket, once it is clear whether there is one. */
  socket: () => Promise<WebSocket | null>;
  /** Why the page may not connect; null when it may. */
  locked: () => NoSecret | null;
  /** The address below which pictures and uploads are, as the server greets with it. */
  base: () => string;
};

// The server sends these two functions to the browser as text, so each uses nothing from outside of itself but types.

/** One WebSocket that sends the secret first, and reconnects by itself, ever less often up to every four seconds. */
export const windowConnection = (
  { find, prove, refuse, onOffer }: WindowSecret,
  { onMessage, onLost, onAgain }: ConnectionEvents,
): WindowConnection => {
  const secretRefused = 4401;
  let socket: WebSocket | null = null;
  let ready: Promise<boolean>;
  let locked: NoSecret | null = null;
  let base = '';
  let retryMs = 250;

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
        if (socket === opening) return onMessage(String(data));
        // The first message is the greeting.
        ({ base } = JSON.parse(String(data)) as { base: string });
        socket = opening;
        retryMs = 250;
        prove(secret);
        resolve(true);
        if (again) onAgain();
      };
      opening.onclose = ({ code }) => {
        socket = null;
        onLost();
        if (code === secretRefused) {
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
    if (again) onAgain();
    return false;
  };

  ready = connect(false);
  onOffer(() => {
    if (locked === null) return;
    locked = null;
    ready = connect(true);
  });
  return { socket: async () => ((await ready) ? socket : null), locked: () => locked, base: () => base };
};

/** What the page gets as `window.companion`: the calls of the table over one connection, and the topics that changed. */
export const companionWindow = (
  topics: readonly string[],
  problems: WindowProblems,
  connect: (events: ConnectionEvents) => WindowConnection,
): CompanionWindow => {
  type Waiting = { resolve: (reply: Reply) => void };
  const listeners = new Set<(topic: string) => void>();
  const waiting = new Map<number, Waiting>();
  let lastId = 0;

  const announce = (topic: string): void => listeners.forEach((listener) => listener(topic));
  const connection = connect({
    onMessage: (text) => {
      const message = JSON.parse(text) as { topic: string } | { id: number; reply: Reply };
      if ('topic' in message) return announce(message.topic);
      waiting.get(message.id)?.resolve(message.reply);
      waiting.delete(message.id);
    },
    onLost: () => {
      for (const [id, { resolve }] of waiting) {
        waiting.delete(id);
        resolve({ ok: false, problem: problems.awayDuring });
      }
    },
    // Everything is read again.
    onAgain: () => topics.forEach(announce),
  });

  return {
    host: 'browser',
    get base() {
      return connection.base();
    },
    call: async (name, input) => {
      const socket = await connection.socket();
      if (socket === null) return { ok: false, problem: problems[connection.locked() ?? 'awayBefore'] };
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
