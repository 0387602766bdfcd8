import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An upload that reached the photo store: its request line and headers, and the bytes. */
export type Put = { path: string; head: string; bytes: Buffer; whole: boolean; gone: boolean };

const startListening = async (server: Server, port = 0): Promise<number> => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};
const stopListening = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
};

/** Passes a request on. A connection that breaks on one side breaks on the other. */
const passOn = (
  from: IncomingMessage,
  to: ServerResponse,
  base: string,
  answered: (answer: IncomingMessage) => void,
) => {
  const { host: _host, ...headers } = from.headers;
  const onward = request(new URL(from.url ?? '/', base), { method: from.method, headers, agent: false }, (answer) => {
    answer.on('error', () => to.destroy());
    answered(answer);
  });
  // A server that responds before the whole body has arrived can close the connection.
  onward.on('error', () => void (to.headersSent || from.socket.resetAndDestroy()));
  to.on('close', () => onward.destroy());
  from.pipe(onward);
};
const passAnswer = (to: ServerResponse) => (answer: IncomingMessage) => {
  to.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(to);
};

/** Starts a photo store separate from the service, as in production. The store can be down, and records each upload. */
export const startStore = async (serviceUrl: string) => {
  const puts: Put[] = [];
  const store = createServer((from, to) => {
    const head = [`${from.method} ${from.url}`, ...from.rawHeaders].join('\n');
    const put: Put = { path: from.url ?? '', head, bytes: Buffer.alloc(0), whole: false, gone: false };
    puts.push(put);
    from.on('data', (bytes: Buffer) => (put.bytes = Buffer.concat([put.bytes, bytes])));
    from.on('end', () => (put.whole = true));
    to.on('close', () => (put.gone = true));
    passOn(from, to, serviceUrl, passAnswer(to));
  });
  const port = await startListening(store);
  const replaceAddresses = (words: string): string =>
    words.replaceAll(`${serviceUrl}/uploads/`, `http://127.0.0.1:${port}/uploads/`);
  const sendPlaced = (to: ServerResponse) => async (answer: IncomingMessage) => {
    const { 'content-length': _length, ...headers } = answer.headers;
    to.writeHead(answer.statusCode ?? 502, headers).end(replaceAddresses(await text(answer)));
  };
  const service = createServer((from, to) =>
    passOn(from, to, serviceUrl, from.url === '/listings/upload-url' ? sendPlaced(to) : passAnswer(to)),
  );
  const servicePort = await startListening(service);

  return {
    url: `http://127.0.0.1:${servicePort}`,
    /** The same upload slots, with the address of the store. */
    placed: replaceAddresses,
    puts: () => puts,
    down: () => stopListening(store),
    up: async (): Promise<void> => void (store.listening || (await startListening(store, port))),
    close: async (): Promise<void> => {
      await Promise.all([stopListening(store), stopListening(service)]);
    },
  };
};
