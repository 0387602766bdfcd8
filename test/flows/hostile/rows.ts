/** A server that is tried, and what a right request to it is made of. */
export type Target = {
  name: 'bridge' | 'window' | 'practice';
  host: string;
  /** A path that is answered with 200, and one that takes JSON. */
  read: string;
  write: string;
  /** The headers of a caller that may do both. */
  known: string[];
};
/**
 * `passes`: what this asks is odd, and yet a right request to these servers, which answer it as ever. `ends`: nothing more
 * comes, so whoever waits for it waits in vain.
 */
export type Row = {
  what: string;
  bytes: (target: Target) => string | Buffer;
  passes?: readonly Target['name'][];
  ends?: true;
};

const all = ['bridge', 'window', 'practice'] as const;
const end = '\r\n\r\n';
/** `goesOn`: another request comes behind this one. */
type Parts = { line?: string; host?: string[]; headers?: string[]; body?: string; goesOn?: true };

const request = (target: Target, { line, host, headers = [], body = '', goesOn }: Parts): string =>
  [
    line ?? `GET ${target.read} HTTP/1.1`,
    ...(host ?? [`Host: ${target.host}`]),
    ...target.known,
    ...(goesOn ? [] : ['Connection: close']),
    ...headers,
  ].join('\r\n') +
  end +
  body;

const row = (what: string, parts: Parts | ((target: Target) => Parts), passes?: Row['passes']): Row => ({
  what,
  bytes: (target) => request(target, typeof parts === 'function' ? parts(target) : parts),
  ...(passes ? { passes } : {}),
});
const header = (what: string, lines: string | string[], passes?: Row['passes']): Row =>
  row(what, { headers: [lines].flat() }, passes);
const line = (what: string, made: (target: Target) => string, passes?: Row['passes']): Row =>
  row(what, (target) => ({ line: made(target) }), passes);
const path = (what: string, given: string): Row => line(what, () => `GET ${given} HTTP/1.1`);
const host = (what: string, made: (own: string) => string[], passes?: Row['passes']): Row =>
  row(what, (target) => ({ host: made(target.host) }), passes);

const json = 'Content-Type: application/json';
const post =
  (headers: string[], body = '') =>
  ({ write }: Target): Parts => ({
    line: `POST ${write} HTTP/1.1`,
    headers: [json, ...headers],
    body,
  });
const content = (what: string, body: string, passes?: Row['passes']): Row =>
  // Rows are written as the bytes that their letters name.
  row(what, post([`Content-Length: ${Buffer.byteLength(body)}`], Buffer.from(body).toString('latin1')), passes);
const chunks = (what: string, body: string, headers: string[] = []): Row =>
  row(what, post(['Transfer-Encoding: chunked', ...headers], body));
const raw = (what: string, bytes: string | Buffer): Row => ({ what, bytes: () => bytes, ends: true });

const smuggled: Row[] = [
  row('chunks and a length', post(['Transfer-Encoding: chunked', 'Content-Length: 4'], '0\r\n\r\n')),
  row('a length and chunks', post(['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n')),
  row('two lengths', post(['Content-Length: 2', 'Content-Length: 3'], '{}')),
  row('one length twice', post(['Content-Length: 2', 'Content-Length: 2'], '{}')),
  row('a list of lengths', post(['Content-Length: 2, 2'], '{}')),
  row('a length below nothing', post(['Content-Length: -1'], '{}')),
  row('a length with a sign', post(['Content-Length: +2'], '{}')),
  row('a length in hexadecimal', post(['Content-Length: 0x2'], '{}')),
  row('a length without end', post(['Content-Length: 99999999999999999999'], '{}')),
  row('chunks that are not the last coding', post(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n')),
  row('a coding that nobody knows', post(['Transfer-Encoding: xchunked'], '0\r\n\r\n')),
  chunks('chunks twice', '0\r\n\r\n', ['Transfer-Encoding: chunked, chunked', 'Content-Length: 3']),
  chunks('a chunk of nonsense', 'zz\r\n{}\r\n0\r\n\r\n'),
  chunks('a chunk below nothing', '-2\r\n{}\r\n0\r\n\r\n'),
  chunks('a chunk without end', 'FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n'),
  chunks('a chunk that says much of itself', `2;${'x'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`),
  chunks('a chunk that is longer than it says', '1\r\n{}\r\n0\r\n\r\n'),
  { ...chunks('chunks that never end', '2\r\n{}\r\n'), ends: true },
  chunks('trailers without end', `2\r\n{}\r\n0\r\n${`X-Long: ${'x'.repeat(1_000)}\r\n`.repeat(40)}\r\n`),
];

const headers: Row[] = [
  header('a folded header', ['X-Folded: a', ' b']),
  header('a space before the colon', 'X-Spaced : a'),
  header('a zero byte', 'X-Zero: a\0b'),
  header('a bare carriage return', 'X-Bare: a\rX-Injected: yes'),
  header('a bare line feed', 'X-Bare: a\nX Injected'),
  header('no name', ': a'),
  header('no colon', 'X-Nothing'),
  header('a name that is no token', 'X(a)é: b'),
  header('a huge header', `X-Long: ${'x'.repeat(20_000)}`),
  header('a huge name', `${'x'.repeat(20_000)}: a`),
  header(
    'thousands of headers',
    Array.from({ length: 3_000 }, (_, at) => `X-${at}: a`),
  ),
  header('a huge cookie', `X-Cookie: ${'a=b; '.repeat(5_000)}`),
  header('an expectation that nobody knows', 'Expect: something-else'),
  header(
    'a WebSocket of junk',
    ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 99', 'Sec-WebSocket-Key: x'],
    ['practice'],
  ),
  header(
    'HTTP/2 by upgrade',
    ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
    ['practice'],
  ),
  header('an upgrade to nothing', ['Connection: Upgrade', 'Upgrade: \t'], all),
  header('another method by a header', 'X-HTTP-Method-Override: DELETE', all),
  header('another host by a header', 'X-Forwarded-Host: evil.example', all),
  header('a range of nonsense', 'Range: bytes=9-1,a-b,-', all),
  header('a page as the origin', 'Origin: https://evil.example'),
  header('nobody as the origin', 'Origin: null'),
];

const targets: Row[] = [
  line('an address of somebody else', ({ read }) => `GET http://evil.example${read} HTTP/1.1`),
  line('the own address, whole', ({ host: own, read }) => `GET http://${own}${read} HTTP/1.1`, ['practice']),
  line('a tunnel', () => 'CONNECT evil.example:443 HTTP/1.1'),
  line('everything', () => 'OPTIONS * HTTP/1.1'),
  path('everything, to read', '*'),
  path('no address at all', 'listings'),
  path('percent junk', '/listings/%zz'),
  path('bytes that are no text, encoded', '/listings/%ff%fe'),
  path('a zero byte, encoded', '/listings/%00'),
  path('a long path', `/${'x'.repeat(20_000)}`),
  path('a path out of everything', '/../../../../etc/passwd'),
  path('an encoded path out of everything', '/..%2f..%2f..%2fetc%2fpasswd'),
  path('a path out, with backslashes', '/..\\..\\windows\\win.ini'),
  path('a space in the path', '/listings /x'),
  path('a control in the path', '/listings/\x07'),
  path('letters that are not ASCII', '/listings/é'),
  line('a host in the path', () => 'GET //evil.example/%2f.. HTTP/1.1'),
  path('names of the prototype', '/__proto__/constructor'),
  line('a method in small letters', ({ read }) => `get ${read} HTTP/1.1`),
  line('a method that nobody knows', ({ read }) => `FROB ${read} HTTP/1.1`),
  line('a method without end', ({ read }) => `${'G'.repeat(20_000)} ${read} HTTP/1.1`),
  line('the protocol of another time', ({ read }) => `GET ${read} HTTP/9.9`),
  line('HTTP/2 on one line', ({ read }) => `GET ${read} HTTP/2.0`),
  // Node reads it as HTTP/1.0 and does not tell.
  line('another protocol', ({ read }) => `GET ${read} RTSP/1.0`, all),
  raw('no protocol', 'GET /\r\n\r\n'),
  raw('HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  raw('SSH', 'SSH-2.0-nobody\r\n'),
  raw('TLS', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])),
  raw('nothing but zeroes', Buffer.alloc(10_000)),
  raw('nothing but line feeds', '\r\n'.repeat(10_000)),
];

const hosts: Row[] = [
  host('the host of somebody else', () => ['Host: evil.example']),
  host('no host', () => []),
  host('an empty host', () => ['Host: ']),
  host('two hosts', (own) => [`Host: ${own}`, 'Host: evil.example']),
  host('one host twice', (own) => [`Host: ${own}`, `Host: ${own}`]),
  host('a list of hosts', (own) => [`Host: ${own}, evil.example`]),
  host('a user in front of the host', (own) => [`Host: evil@${own}`]),
  host('a host with a dot at its end', (own) => [`Host: ${own.replace(':', '.:')}`]),
];

const nested = (levels: number, [open, close] = ['[', ']']): string =>
  `{"a":${open.repeat(levels)}1${close.repeat(levels)}}`;
const bodies: Row[] = [
  content('deep JSON', nested(100)),
  content('very deep JSON', nested(200_000)),
  content('very deep objects', nested(100_000, ['{"a":', '}'])),
  content('a key twice', '{"quantity":1,"quantity":2}', ['practice']),
  content('__proto__', '{"__proto__":{"admin":true},"constructor":1}', ['practice']),
  content('a byte order mark', '\uFEFF{}'),
  content('half a character', '{"additionalContext":"\\ud800"}', all),
  content('a number without end', '{"quantity":1e400}'),
  content('two JSONs', '{}{}'),
  content('half a JSON', '{"quantity":'),
  content('nothing', 'null'),
  content('a list', '[]'),
  content('zero bytes', '{}\0'),
  content('three MiB', `{"additionalContext":"${'x'.repeat(3 * 2 ** 20)}"}`),
  {
    what: 'bytes that are no text',
    bytes: (target) => {
      const body = Buffer.concat([
        Buffer.from('{"additionalContext":"'),
        Buffer.from([0xff, 0xfe, 0xc0]),
        Buffer.from('"}'),
      ]);
      return Buffer.concat([Buffer.from(request(target, post([`Content-Length: ${body.length}`])(target))), body]);
    },
  },
  row('a coding that is not the one of the bytes', post(['Content-Encoding: gzip', 'Content-Length: 2'], '{}')),
  row('a coding that nobody knows', post(['Content-Encoding: x', 'Content-Length: 2'], '{}')),
  row('another charset', ({ write }) => ({
    line: `POST ${write} HTTP/1.1`,
    headers: ['Content-Type: application/json; charset=utf-7', 'Content-Length: 2'],
    body: '{}',
  })),
  row('a form', ({ write }) => ({
    line: `POST ${write} HTTP/1.1`,
    headers: ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 3'],
    body: 'a=b',
  })),
  { ...row('a body that breaks off', post(['Content-Length: 500'], '{"quantity":')), ends: true },
];

const streams: Row[] = [
  {
    what: 'headers that break off',
    bytes: ({ host: own, read }) => `GET ${read} HTTP/1.1\r\nHost: ${own}\r\nX-Slow: a`,
    ends: true,
  },
  { what: 'a line that breaks off', bytes: () => 'GE', ends: true },
  {
    what: 'three requests at once',
    bytes: (target) => request(target, { goesOn: true }).repeat(2) + request(target, {}),
    passes: all,
  },
  {
    what: 'two thousand requests at once',
    bytes: (target) => request(target, { goesOn: true }).repeat(2_000) + request(target, {}),
    passes: all,
  },
  {
    what: 'a request and then junk',
    bytes: (target) => `${request(target, { goesOn: true })}\0\0\0 junk${end}`,
    passes: all,
  },
  {
    what: 'a request inside the body of another',
    bytes: (target) =>
      request(target, { ...post(['Content-Length: 0'])(target), goesOn: true }) +
      request(target, { line: 'DELETE / HTTP/1.1' }),
    passes: all,
  },
];

/** Requests that no right client makes. */
export const rows: readonly Row[] = [...smuggled, ...headers, ...targets, ...hosts, ...bodies, ...streams];
