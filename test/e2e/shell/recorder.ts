import { createServer, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/**
 * Starts a proxy to a practice service that records the bodies of all answers and the keys of all requests. It replaces
 * the service's address in answers with its own, because photos are uploaded only to the service's address.
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
        // This encoding keeps the bytes of photos and the ASCII addresses in JSON unchanged.
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
