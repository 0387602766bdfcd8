import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import * as z from 'zod';

export type RawAnswer = { status: number; headers: Record<string, string>; body: Record<string, unknown> };

const jsonBody = z.record(z.string(), z.unknown());

/** Opens a connection to the bridge, to which a test can write anything. */
export const openSocket = async (url: string): Promise<Socket> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  // Many of these tests expect the bridge to end the connection.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

/** Parses the first answer in the bytes; null while the answer is incomplete. */
export const parseAnswer = (got: Buffer): RawAnswer | null => {
  const end = got.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [statusLine = '', ...lines] = got.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = got.subarray(end + 4);
  const length = Number(headers['content-length'] ?? Infinity);
  if (body.length < length) return null;
  const text = body.subarray(0, length).toString();
  const isJson = headers['content-type']?.includes('json') ?? false;
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: isJson ? jsonBody.parse(JSON.parse(text)) : { text },
  };
};

/** Reads the first answer on a connection, and fails if the connection closes before. */
export const readAnswer = (socket: Socket): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    let got = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      got = Buffer.concat([got, chunk]);
      const answer = parseAnswer(got);
      if (answer) resolve(answer);
    });
    socket.on('close', () => reject(new Error(`Closed after: ${got.toString().slice(0, 200)}`)));
  });

/** Sends these bytes unchanged, unlike an HTTP client, and reads the first answer. */
export const sendRaw = async (url: string, bytes: string | Buffer): Promise<RawAnswer> => {
  const socket = await openSocket(url);
  try {
    const answer = readAnswer(socket);
    socket.write(bytes);
    return await answer;
  } finally {
    socket.destroy();
  }
};

type Parts = { host?: string | null; headers?: string[]; body?: string };

/**
 * Returns the bytes of a request: its first line, the bridge's host unless another (or null) is given, and other
 * headers.
 */
export const buildRawRequest = (url: string, line: string, { host, headers = [], body = '' }: Parts = {}): string =>
  [
    `${line} HTTP/1.1`,
    ...(host === null ? [] : [`Host: ${host ?? new URL(url).host}`]),
    ...headers,
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n');
