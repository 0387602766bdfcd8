import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { mark, spoil, type Dice, type Reply, type SpoiltReply } from './spoil.ts';

const passedIn = ['content-type', 'authorization', 'idempotency-key', 'if-none-match', 'accept'];
const passedOut = ['content-type', 'retry-after', 'etag', 'last-modified', 'idempotent-replayed'];

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Puts the mark before the sentence of a refusal by the practice service. */
const markRefusal = (text: string): string => text.replace(/^\{"error":"(?!§)/, `{"error":"${mark} `);

const toHead = ({ status, headers }: Reply, length: number): string =>
  [
    `HTTP/1.1 ${status} X`,
    ...Object.entries({ ...headers, 'content-length': String(length) }).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');

const sendReply = async (told: SpoiltReply, response: ServerResponse): Promise<void> => {
  const socket = response.socket as Socket;
  if (told.kind === 'dropped') return void socket.destroy();
  if (told.kind === 'reset') return void socket.resetAndDestroy();
  if (told.kind === 'bytes') return void socket.end(told.bytes);
  const { reply } = told;
  const writeHead = (length: number): boolean => socket.write(Buffer.from(toHead(reply, length), 'latin1'));
  if (told.kind === 'slow') {
    writeHead(reply.body.length);
    for (let at = 0; at < 10 && !socket.destroyed; at += 1) {
      socket.write(
        reply.body.subarray(Math.floor((reply.body.length * at) / 10), Math.floor((reply.body.length * (at + 1)) / 10)),
      );
      await wait(10);
    }
    return void socket.end();
  }
  writeHead(
    told.kind === 'long' ? Math.max(0, reply.body.length - 3) : reply.body.length + (told.kind === 'short' ? 7 : 0),
  );
  socket.write(told.kind === 'half' ? reply.body.subarray(0, reply.body.length / 2) : reply.body);
  // Every answer uses its own connection, so that an invalid answer breaks no other.
  socket.end();
};

/** Starts a proxy between a companion and the practice service that spoils this share of the answers. */
export const startMaliciousService = async (service: string, dice: Dice, share: () => number) => {
  let base = '';
  const counts = { requests: 0, spoilt: 0 };
  const answerRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/' } = request;
    counts.requests += 1;
    const body = await readBody(request);
    const got = await fetch(service + url, {
      method,
      headers: passedIn.flatMap((name): [string, string][] => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
    const bytes = Buffer.from(await got.arrayBuffer());
    const isJson = (got.headers.get('content-type') ?? '').includes('json');
    const reply: Reply = {
      status: got.status,
      headers: Object.fromEntries(
        passedOut.flatMap((name) => (got.headers.has(name) ? [[name, got.headers.get(name) ?? '']] : [])),
      ),
      body: isJson ? Buffer.from(markRefusal(bytes.toString().replaceAll(service, base))) : bytes,
    };
    const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? 'no key';
    const told = dice.chance(share()) ? spoil(dice, reply, key) : ({ kind: 'answer', reply } as const);
    if (told.kind !== 'answer' || told.reply !== reply) counts.spoilt += 1;
    await sendReply(told, response);
  };
  const server = createServer((request, response) => {
    request.on('error', () => undefined);
    response.socket?.on('error', () => undefined);
    answerRequest(request, response).catch(() => response.socket?.destroy());
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    url: base,
    counts,
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};
