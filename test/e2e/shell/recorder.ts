import { createServer, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/**
 * Stands between the companion and a practice service, passes everything on, and keeps what went through: the bodies of
 * all answers and the keys that requests carried.
 */
export const startRecorder = async (serviceUrl: string) => {
  const keys = new Set<string>();
  const answers: string[] = [];
  const server = createServer((from, to) => {
    const key = /^Bearer (.+)$/.exec(from.headers.authorization ?? '')?.[1];
    if (key) keys.add(key);
    const { host: _host, ...headers } = from.headers;
    const onward = request(new URL(from.url ?? '/', serviceUrl), { method: from.method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => answers.push(Buffer.concat(chunks).toString('latin1')));
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    onward.on('error', () => to.destroy());
    from.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: () => [...keys],
    answers: () => answers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
