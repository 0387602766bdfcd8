import { createServer, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/**
 * Stands between the companion and a practice service, passes everything on, and keeps what went through: the bodies of
 * all answers and the keys that requests carried. Addresses of the service in answers become its own, as photos are put
 * at the service's own address only.
 */
export const startRecorder = async (serviceUrl: string) => {
  const keys = new Set<string>();
  const answers: string[] = [];
  const server = createServer((from, to) => {
    const key = /^Bearer (.+)$/.exec(from.headers.authorization ?? '')?.[1];
    if (key) keys.add(key);
    const { host: _host, 'accept-encoding': _encoding, ...headers } = from.headers;
    const onward = request(new URL(from.url ?? '/', serviceUrl), { method: from.method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        // Bytes of photos pass through unchanged in this encoding, and so do the ASCII addresses in JSON.
        const text = Buffer.concat(chunks).toString('latin1');
        answers.push(text);
        const { 'content-length': _length, 'transfer-encoding': _transfer, ...passed } = answer.headers;
        to.writeHead(answer.statusCode ?? 502, passed);
        to.end(Buffer.from(text.replaceAll(serviceUrl, ownUrl()), 'latin1'));
      });
    });
    onward.on('error', () => to.destroy());
    from.pipe(onward);
  });
  const ownUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: ownUrl(),
    keys: () => [...keys],
    answers: () => answers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
