import { once } from 'node:events';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { WebSocket } from 'ws';
import * as z from 'zod';

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };
type Headers = Record<string, string>;

const entered = z.object({ secret: z.string() });
const greeting = z.object({ base: z.string() });

/** Creates a client with the requests that a page of the window's origin or any other program can make. */
export const createUiClient = (link: string) => {
  const { origin, host, port, searchParams } = new URL(link);
  const token = searchParams.get('token') ?? '';

  // Browsers resolve the name to this machine themselves; Node asks the system, which may not know it.
  const way = '127.0.0.1';

  /** Uses node:http, because fetch does not let a test set Host and Origin. */
  const ask = (
    path: string,
    headers: Headers = {},
    method = 'GET',
    body?: Buffer | string,
    address = way,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const asked = request(
        { host: address, port, path, method, headers: { Host: host, ...headers }, agent: false },
        (answer) => {
          let read = '';
          answer.setEncoding('utf8').on('data', (chunk: string) => (read += chunk));
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: read }));
        },
      );
      asked.once('error', reject);
      asked.end(body);
    });

  /** Exchanges a link's token like the page. */
  const tryToken = (given = token): Promise<Answer> =>
    ask('/enter', { Origin: origin, 'Content-Type': 'application/json' }, 'POST', JSON.stringify({ token: given }));
  const enter = async (): Promise<string> => entered.parse(JSON.parse((await tryToken()).body)).secret;

  const connect = async (headers: Headers = {}): Promise<WebSocket> => {
    const socket = new WebSocket(`ws://${way}:${port}/calls`, {
      headers: { Host: host, Origin: origin, ...headers },
    });
    await once(socket, 'open');
    return socket;
  };
  const next = async (socket: WebSocket): Promise<unknown> => {
    const [data] = (await once(socket, 'message')) as [Buffer];
    return JSON.parse(data.toString());
  };
  /** Waits until the host closes a socket, and returns the close code and all messages before. */
  const ended = async (socket: WebSocket): Promise<{ code: number; said: string[] }> => {
    const said: string[] = [];
    socket.on('message', (data: Buffer) => said.push(data.toString()));
    const [code] = (await once(socket, 'close')) as [number];
    return { code, said };
  };
  /** Opens an accepted socket and returns it with the base address of this window's photos. */
  const open = async (secret: string): Promise<{ socket: WebSocket; base: string }> => {
    const socket = await connect();
    socket.send(JSON.stringify({ secret }));
    return { socket, base: greeting.parse(await next(socket)).base };
  };
  const call = async (socket: WebSocket, name: string, input: unknown): Promise<unknown> => {
    socket.send(JSON.stringify({ id: 7, name, input }));
    return z.object({ id: z.literal(7), reply: z.unknown() }).parse(await next(socket)).reply;
  };
  /** Sends bytes that no client would send, and returns the whole answer. */
  const raw = (bytes: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connectTcp(Number(port), way);
      let read = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => (read += chunk));
      // A host that refuses the rest of the bytes resets the connection after its answer.
      socket.on('error', () => undefined).once('close', () => resolve(read));
      socket.end(bytes);
    });
  return { origin, host, port: Number(port), token, ask, tryToken, enter, connect, next, ended, open, call, raw };
};
