import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export type RecordedRequest = { method: string; path: string; body: string };

/** Starts a proxy to the service that records the requests. */
export const startRecordingProxy = async (to: string) => {
  const passed: RecordedRequest[] = [];
  const target = new URL(to);
  const server = createServer((from, back) => {
    const chunks: Buffer[] = [];
    from.on('data', (chunk: Buffer) => chunks.push(chunk));
    from.on('end', () => {
      const { method = '', url: path = '' } = from;
      const body = Buffer.concat(chunks);
      passed.push({ method, path, body: body.toString() });
      const headers = { ...from.headers, host: target.host };
      const on = request({ hostname: target.hostname, port: target.port, method, path, headers }, (answer) => {
        back.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(back);
      });
      on.on('error', () => back.destroy());
      on.end(body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns the requests since the last call. */
    take: (): RecordedRequest[] => passed.splice(0),
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
