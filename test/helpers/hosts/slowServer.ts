import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

type Arrived = { from: IncomingMessage; to: ServerResponse };

/** Starts a server on loopback that reads only as much as it is told to. */
export const startSlowServer = async () => {
  const arrived: Arrived[] = [];
  const server = createServer((from, to) => void arrived.push({ from, to }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/photo`,
    arrived: () => arrived,
    /** Reads until `isEnough` returns true. */
    take: async ({ from }: Arrived, isEnough: () => boolean): Promise<void> => {
      while (!isEnough()) {
        from.read();
        await wait(0);
      }
    },
    /** Reads the rest and waits until the other side has ended the connection. */
    ended: async ({ from, to }: Arrived): Promise<void> => {
      from.resume();
      if (!to.destroyed) await once(to, 'close');
    },
    /** Waits until all buffers are full and nothing more is sent. */
    full: async (count: () => number): Promise<void> => {
      for (let same = 0, before = -1; same < 10; before = count()) {
        await wait(2);
        same = count() === before ? same + 1 : 0;
      }
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
