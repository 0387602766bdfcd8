import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

type Slow = { method: string; path: RegExp; ms: number };
type Rewrite = { call: RegExp; to: (answer: string) => string };
/** The gateway's own answer instead of the service's; `drop` ends the connection. */
export type Reply = { status: number; body: unknown } | 'drop';

const passedIn = ['content-type', 'authorization', 'idempotency-key', 'if-none-match', 'accept'];
const passedOut = ['content-type', 'retry-after', 'etag', 'last-modified', 'idempotent-replayed'];

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/**
 * A gateway in front of the service. Like real gateways it reads a whole request and forwards it even if the caller has
 * gone. `slow` delays single requests, `rewrite` changes answers, and `reply` answers instead of the service.
 */
export const startGateway = async (service: () => string) => {
  const slow: Slow[] = [];
  const rewrite: Rewrite[] = [];
  const own: { reply: (call: string) => Reply | null } = { reply: () => null };
  let base = '';
  const passOn = async (request: IncomingMessage) => {
    const { method = 'GET', url = '/' } = request;
    const body = await bodyOf(request);
    const at = slow.findIndex((one) => one.method === method && one.path.test(url));
    const [held] = at < 0 ? [] : slow.splice(at, 1);
    if (held) await wait(held.ms);
    const headers = passedIn.flatMap((name): [string, string][] => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    const got = await fetch(service() + url, {
      method,
      headers,
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
    const bytes = Buffer.from(await got.arrayBuffer());
    const isJson = (got.headers.get('content-type') ?? '').includes('json');
    const text = isJson ? bytes.toString().replaceAll(service(), base) : null;
    const said = rewrite.find(({ call }) => call.test(`${method} ${url}`));
    return { got, body: text === null ? bytes : said ? said.to(text) : text };
  };
  const server = createServer((request, response) => {
    const reply = own.reply(`${request.method} ${request.url}`);
    if (reply === 'drop') return void request.socket.destroy();
    if (reply !== null) {
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
      return;
    }
    void passOn(request)
      .then(({ got, body }) => {
        for (const name of passedOut) {
          const value = got.headers.get(name);
          if (value !== null) response.setHeader(name, value);
        }
        response.writeHead(got.status).end(body);
      })
      .catch(() => response.destroy());
    request.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    slow,
    rewrite,
    /** Sets the gateway's own answers from now on. */
    replyBy: (reply: (call: string) => Reply | null): void => void (own.reply = reply),
    url: base,
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};
