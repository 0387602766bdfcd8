import type { CompanionWindow, Reply } from '../ipc/calls.ts';

/**
 * What the page gets as `window.companion`: the calls of the table over one WebSocket that reconnects by itself.
 * The server sends this function to the browser as text, so it uses nothing from outside of itself but types.
 */
export const companionWindow = (topics: readonly string[]): CompanionWindow => {
  type Waiting = { resolve: (reply: Reply) => void };
  const listeners = new Set<(topic: string) => void>();
  const waiting = new Map<number, Waiting>();
  let socket: WebSocket | null = null;
  let ready: Promise<boolean>;
  let lastId = 0;
  let retryMs = 250;

  const away = (when: string, sentence: string): Reply => ({
    ok: false,
    problem: { code: 'COMPANION_AWAY', sentence, says: { key: `problems.COMPANION_AWAY.${when}` } },
  });
  const tell = (topic: string): void => listeners.forEach((listener) => listener(topic));

  const lose = (): void => {
    for (const [id, { resolve }] of waiting) {
      waiting.delete(id);
      resolve(
        away('during', 'The companion stopped before it answered. Look at what has happened before you try again.'),
      );
    }
  };

  const receive = (text: string): void => {
    const message = JSON.parse(text) as { topic: string } | { id: number; reply: Reply };
    if ('topic' in message) return tell(message.topic);
    waiting.get(message.id)?.resolve(message.reply);
    waiting.delete(message.id);
  };

  const connect = (again: boolean): Promise<boolean> =>
    new Promise((resolve) => {
      const opening = new WebSocket(`ws://${location.host}/calls`);
      opening.onopen = () => {
        socket = opening;
        retryMs = 250;
        resolve(true);
        // What changed while the line was down is not known, so everything is read again.
        if (again) topics.forEach(tell);
      };
      opening.onmessage = (event) => receive(String(event.data));
      opening.onclose = () => {
        socket = null;
        resolve(false);
        lose();
        retryMs = Math.min(retryMs * 2, 4_000);
        setTimeout(() => {
          ready = connect(true);
        }, retryMs);
      };
    });

  ready = connect(false);

  return {
    host: 'browser',
    call: async (name, input) => {
      if (!(await ready) || socket === null) {
        return away('before', 'The companion is not running. Start it again; what you see here may be out of date.');
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
