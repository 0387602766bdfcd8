import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { formatSocketAddress } from '../../../src/bridge/proof.ts';

/** A server on this machine, with the text that it has received and the number of its connections. */
export type Listener = { port: number; heard: () => string; connections: () => number; close: () => Promise<void> };

/** A request, and the caller's end of its connection. */
type ReceivedRequest = { method: string; path: string; body: string; caller: string };
/** The whole answer to a request; null sends no answer, and 'hang up' ends the connection. */
type Answer = { status: number; headers?: Record<string, string>; body?: unknown } | null | 'hang up';

const isWhole = (text: string): boolean => {
  const [head, body] = [text.slice(0, text.indexOf('\r\n\r\n')), text.slice(text.indexOf('\r\n\r\n') + 4)];
  return text.includes('\r\n\r\n') && body.length >= Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
};

const formatAnswer = ({ status, headers = {}, body = {} }: Exclude<Answer, null | 'hang up'>): string => {
  const text = JSON.stringify(body);
  const lines = Object.entries({ 'content-type': 'application/json', ...headers, 'content-length': text.length });
  return [`HTTP/1.1 ${status} Answer`, ...lines.map(([name, value]) => `${name}: ${value}`), '', text].join('\r\n');
};

/** Starts a server with these answers on a given or a free port. */
export const startListener = async (
  answer: (heard: ReceivedRequest) => Answer | Promise<Answer>,
  port = 0,
): Promise<Listener> => {
  let [heard, connections] = ['', 0];
  const server = createServer((socket) => {
    connections += 1;
    let request = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard += chunk.toString();
      request += chunk.toString();
      if (!isWhole(request)) return;
      const [method = '', path = ''] = request.split(' ');
      const body = request.slice(request.indexOf('\r\n\r\n') + 4);
      request = '';
      void Promise.resolve(
        answer({ method, path, body, caller: formatSocketAddress(socket.remoteAddress, socket.remotePort) }),
      ).then((answered) => {
        if (answered === 'hang up') socket.destroy();
        else if (answered !== null) socket.write(formatAnswer(answered));
      });
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const open = new Set<{ destroy: () => void }>();
  server.on('connection', (socket) => open.add(socket));
  const close = async (): Promise<void> => {
    const closed = server.listening ? once(server, 'close') : Promise.resolve();
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  };
  onTestFinished(close);
  const at = z.object({ port: z.int() }).parse(server.address()).port;
  return { port: at, heard: () => heard, connections: () => connections, close };
};

/** Writes the file that announces a companion's port, by default with this process as its owner. */
export const writeDiscovery = (dataDir: string, port: number, more: Record<string, unknown> = {}): Promise<void> => {
  const url = `http://127.0.0.1:${port}`;
  const found = { url, mcpUrl: `${url}/mcp`, pid: process.pid, version: '0.0.0' };
  const started = { startedAt: new Date().toISOString(), startTicks: null };
  return writeFile(join(dataDir, 'bridge.json'), JSON.stringify({ ...found, ...started, ...more }));
};
