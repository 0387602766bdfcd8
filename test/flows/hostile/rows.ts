/** A server under test, and the parts of a valid request to it. */
export type Target = {
  name: 'bridge' | 'window' | 'practice';
  host: string;
  /** A path that responds with 200, and a path that accepts JSON. */
  read: string;
  write: string;
  /** The headers of an authorized caller. */
  known: string[];
};
/** `passes`: the servers for which the request is odd but valid. `ends`: the client sends nothing after these bytes. */
export type Row = {
  what: string;
  bytes: (target: Target) => string | Buffer;
  passes?: readonly Target['name'][];
  ends?: true;
};

const all = ['bridge', 'window', 'practice'] as const;
const end = '\r\n\r\n';
/** `isFollowed`: another request follows on the same connection. */
type Parts = { line?: string; host?: string[]; headers?: string[]; body?: string; isFollowed?: true };

const request = (target: Target, { line, host, headers = [], body = '', isFollowed }: Parts): string =>
  [
    line ?? `GET ${target.read} HTTP/1.1`,
    ...(host ?? [`Host: ${target.host}`]),
    ...target.known,
    ...(isFollowed ? [] : ['Connection: close']),
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
  // Rows are sent as latin1, so that each character is one byte.
  row(what, post([`Content-Length: ${Buffer.byteLength(body)}`], Buffer.from(body).toString('latin1')), passes);
const chunks = (what: string, body: string, headers: string[] = []): Row =>
  row(what, post(['Transfer-Encoding: chunked', ...headers], body));
const raw = (what: string, bytes: string | Buffer): Row => ({ what, bytes: () => bytes, ends: true });

const smuggled: Row[] = [
  row('chunked encoding and a length', post(['Transfer-Encoding: chunked', 'Content-Length: 4'], '0\r\n\r\n')),
  row('a length and chunked encoding', post(['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n')),
  row('two different lengths', post(['Content-Length: 2', 'Content-Length: 3'], '{}')),
  row('the same length twice', post(['Content-Length: 2', 'Content-Length: 2'], '{}')),
  row('a list of lengths', post(['Content-Length: 2, 2'], '{}')),
  row('a negative length', post(['Content-Length: -1'], '{}')),
  row('a length with a sign', post(['Content-Length: +2'], '{}')),
  row('a length in hexadecimal', post(['Content-Length: 0x2'], '{}')),
  row('a huge length', post(['Content-Length: 99999999999999999999'], '{}')),
  row('chunked encoding that is not the last encoding', post(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n')),
  row('an unknown transfer encoding', post(['Transfer-Encoding: xchunked'], '0\r\n\r\n')),
  chunks('chunked encoding twice and a length', '0\r\n\r\n', [
    'Transfer-Encoding: chunked, chunked',
    'Content-Length: 3',
  ]),
  chunks('an invalid chunk size', 'zz\r\n{}\r\n0\r\n\r\n'),
  chunks('a negative chunk size', '-2\r\n{}\r\n0\r\n\r\n'),
  chunks('a huge chunk size', 'FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n'),
  chunks('a chunk with a huge extension', `2;${'x'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`),
  chunks('a chunk that is longer than its size', '1\r\n{}\r\n0\r\n\r\n'),
  { ...chunks('chunks that never end', '2\r\n{}\r\n'), ends: true },
  chunks('too many trailers', `2\r\n{}\r\n0\r\n${`X-Long: ${'x'.repeat(1_000)}\r\n`.repeat(40)}\r\n`),
];

const headers: Row[] = [
  header('a folded header', ['X-Folded: a', ' b']),
  header('a space before the colon', 'X-Spaced : a'),
  header('a null byte in a header', 'X-Zero: a\0b'),
  header('a bare carriage return in a header', 'X-Bare: a\rX-Injected: yes'),
  header('a bare line feed in a header', 'X-Bare: a\nX Injected'),
  header('a header without a name', ': a'),
  header('a header without a colon', 'X-Nothing'),
  header('a header with an invalid name', 'X(a)é: b'),
  header('a huge header', `X-Long: ${'x'.repeat(20_000)}`),
  header('a huge header name', `${'x'.repeat(20_000)}: a`),
  header(
    'thousands of headers',
    Array.from({ length: 3_000 }, (_, at) => `X-${at}: a`),
  ),
  header('a huge cookie', `X-Cookie: ${'a=b; '.repeat(5_000)}`),
  header('an unknown expectation', 'Expect: something-else'),
  header(
    'an invalid WebSocket upgrade',
    ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 99', 'Sec-WebSocket-Key: x'],
    ['practice'],
  ),
  header(
    'an upgrade to HTTP/2',
    ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
    ['practice'],
  ),
  header('an empty upgrade', ['Connection: Upgrade', 'Upgrade: \t'], all),
  header('another method in a header', 'X-HTTP-Method-Override: DELETE', all),
  header('another host in a header', 'X-Forwarded-Host: evil.example', all),
  header('an invalid range', 'Range: bytes=9-1,a-b,-', all),
  header('the origin of another page', 'Origin: https://evil.example'),
  header('the origin null', 'Origin: null'),
];

const targets: Row[] = [
  line('an absolute address of another host', ({ read }) => `GET http://evil.example${read} HTTP/1.1`),
  line('an absolute address of the server', ({ host: own, read }) => `GET http://${own}${read} HTTP/1.1`, ['practice']),
  line('a CONNECT request', () => 'CONNECT evil.example:443 HTTP/1.1'),
  line('OPTIONS for *', () => 'OPTIONS * HTTP/1.1'),
  path('GET for *', '*'),
  path('a path without a leading slash', 'listings'),
  path('an invalid percent encoding', '/listings/%zz'),
  path('encoded bytes that are not UTF-8', '/listings/%ff%fe'),
  path('an encoded null byte', '/listings/%00'),
  path('a long path', `/${'x'.repeat(20_000)}`),
  path('a path out of the root', '/../../../../etc/passwd'),
  path('an encoded path out of the root', '/..%2f..%2f..%2fetc%2fpasswd'),
  path('a path out of the root with backslashes', '/..\\..\\windows\\win.ini'),
  path('a space in the path', '/listings /x'),
  path('a control character in the path', '/listings/\x07'),
  path('a path that is not ASCII', '/listings/é'),
  line('a host in the path', () => 'GET //evil.example/%2f.. HTTP/1.1'),
  path('prototype names in the path', '/__proto__/constructor'),
  line('a lowercase method', ({ read }) => `get ${read} HTTP/1.1`),
  line('an unknown method', ({ read }) => `FROB ${read} HTTP/1.1`),
  line('a huge method', ({ read }) => `${'G'.repeat(20_000)} ${read} HTTP/1.1`),
  line('an unknown HTTP version', ({ read }) => `GET ${read} HTTP/9.9`),
  line('HTTP/2 in the request line', ({ read }) => `GET ${read} HTTP/2.0`),
  // Node parses it as HTTP/1.0.
  line('another protocol', ({ read }) => `GET ${read} RTSP/1.0`, all),
  raw('a request line without a protocol', 'GET /\r\n\r\n'),
  raw('an HTTP/2 preface without an upgrade', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  raw('an SSH banner', 'SSH-2.0-nobody\r\n'),
  raw('a TLS handshake', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])),
  raw('only null bytes', Buffer.alloc(10_000)),
  raw('only line feeds', '\r\n'.repeat(10_000)),
];

const hosts: Row[] = [
  host('another host', () => ['Host: evil.example']),
  host('no host', () => []),
  host('an empty host', () => ['Host: ']),
  host('two different hosts', (own) => [`Host: ${own}`, 'Host: evil.example']),
  host('the same host twice', (own) => [`Host: ${own}`, `Host: ${own}`]),
  host('a list of hosts', (own) => [`Host: ${own}, evil.example`]),
  host('a user in front of the host', (own) => [`Host: evil@${own}`]),
  host('a host with a trailing dot', (own) => [`Host: ${own.replace(':', '.:')}`]),
];

const nested = (levels: number, [open, close] = ['[', ']']): string =>
  `{"a":${open.repeat(levels)}1${close.repeat(levels)}}`;
const bodies: Row[] = [
  content('deeply nested JSON', nested(100)),
  content('very deeply nested JSON', nested(200_000)),
  content('very deeply nested objects', nested(100_000, ['{"a":', '}'])),
  content('a JSON key twice', '{"quantity":1,"quantity":2}', ['practice']),
  content('__proto__ as a JSON key', '{"__proto__":{"admin":true},"constructor":1}', ['practice']),
  content('a byte order mark', '\uFEFF{}'),
  content('half a surrogate pair', '{"additionalContext":"\\ud800"}', all),
  content('an infinite number', '{"quantity":1e400}'),
  content('two JSON values', '{}{}'),
  content('truncated JSON', '{"quantity":'),
  content('null as JSON', 'null'),
  content('an array as JSON', '[]'),
  content('JSON followed by a null byte', '{}\0'),
  content('three MiB of JSON', `{"additionalContext":"${'x'.repeat(3 * 2 ** 20)}"}`),
  {
    what: 'bytes that are not UTF-8',
    bytes: (target) => {
      const body = Buffer.concat([
        Buffer.from('{"additionalContext":"'),
        Buffer.from([0xff, 0xfe, 0xc0]),
        Buffer.from('"}'),
      ]);
      return Buffer.concat([Buffer.from(request(target, post([`Content-Length: ${body.length}`])(target))), body]);
    },
  },
  row('a content encoding that does not match the bytes', post(['Content-Encoding: gzip', 'Content-Length: 2'], '{}')),
  row('an unknown content encoding', post(['Content-Encoding: x', 'Content-Length: 2'], '{}')),
  row('another charset', ({ write }) => ({
    line: `POST ${write} HTTP/1.1`,
    headers: ['Content-Type: application/json; charset=utf-7', 'Content-Length: 2'],
    body: '{}',
  })),
  row('form data', ({ write }) => ({
    line: `POST ${write} HTTP/1.1`,
    headers: ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 3'],
    body: 'a=b',
  })),
  { ...row('a truncated body', post(['Content-Length: 500'], '{"quantity":')), ends: true },
];

const streams: Row[] = [
  {
    what: 'truncated headers',
    bytes: ({ host: own, read }) => `GET ${read} HTTP/1.1\r\nHost: ${own}\r\nX-Slow: a`,
    ends: true,
  },
  { what: 'a truncated request line', bytes: () => 'GE', ends: true },
  {
    what: 'three requests at once',
    bytes: (target) => request(target, { isFollowed: true }).repeat(2) + request(target, {}),
    passes: all,
  },
  {
    what: 'two thousand requests at once',
    bytes: (target) => request(target, { isFollowed: true }).repeat(2_000) + request(target, {}),
    passes: all,
  },
  {
    what: 'a request followed by junk',
    bytes: (target) => `${request(target, { isFollowed: true })}\0\0\0 junk${end}`,
    passes: all,
  },
  {
    what: 'a request inside the body of another',
    bytes: (target) =>
      request(target, { ...post(['Content-Length: 0'])(target), isFollowed: true }) +
      request(target, { line: 'DELETE / HTTP/1.1' }),
    passes: all,
  },
];

/** Requests that no correct client makes. */
export const rows: readonly Row[] = [...smuggled, ...headers, ...targets, ...hosts, ...bodies, ...streams];
