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

const toRequest = (target: Target, { line, host, headers = [], body = '', isFollowed }: Parts): string =>
  [
    line ?? `GET ${target.read} HTTP/1.1`,
    ...(host ?? [`Host: ${target.host}`]),
    ...target.known,
    ...(isFollowed ? [] : ['Connection: close']),
    ...headers,
  ].join('\r\n') +
  end +
  body;

const createRow = (what: string, parts: Parts | ((target: Target) => Parts), passes?: Row['passes']): Row => ({
  what,
  bytes: (target) => toRequest(target, typeof parts === 'function' ? parts(target) : parts),
  ...(passes ? { passes } : {}),
});
const createHeaderRow = (what: string, lines: string | string[], passes?: Row['passes']): Row =>
  createRow(what, { headers: [lines].flat() }, passes);
const createLineRow = (what: string, made: (target: Target) => string, passes?: Row['passes']): Row =>
  createRow(what, (target) => ({ line: made(target) }), passes);
const createPathRow = (what: string, given: string): Row => createLineRow(what, () => `GET ${given} HTTP/1.1`);
const createHostRow = (what: string, made: (own: string) => string[], passes?: Row['passes']): Row =>
  createRow(what, (target) => ({ host: made(target.host) }), passes);

const json = 'Content-Type: application/json';
const toPost =
  (headers: string[], body = '') =>
  ({ write }: Target): Parts => ({
    line: `POST ${write} HTTP/1.1`,
    headers: [json, ...headers],
    body,
  });
const createContentRow = (what: string, body: string, passes?: Row['passes']): Row =>
  // Rows are sent as latin1, so that each character is one byte.
  createRow(what, toPost([`Content-Length: ${Buffer.byteLength(body)}`], Buffer.from(body).toString('latin1')), passes);
const createChunksRow = (what: string, body: string, headers: string[] = []): Row =>
  createRow(what, toPost(['Transfer-Encoding: chunked', ...headers], body));
const createRawRow = (what: string, bytes: string | Buffer): Row => ({ what, bytes: () => bytes, ends: true });

const smuggled: Row[] = [
  createRow('chunked encoding and a length', toPost(['Transfer-Encoding: chunked', 'Content-Length: 4'], '0\r\n\r\n')),
  createRow('a length and chunked encoding', toPost(['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n')),
  createRow('two different lengths', toPost(['Content-Length: 2', 'Content-Length: 3'], '{}')),
  createRow('the same length twice', toPost(['Content-Length: 2', 'Content-Length: 2'], '{}')),
  createRow('a list of lengths', toPost(['Content-Length: 2, 2'], '{}')),
  createRow('a negative length', toPost(['Content-Length: -1'], '{}')),
  createRow('a length with a sign', toPost(['Content-Length: +2'], '{}')),
  createRow('a length in hexadecimal', toPost(['Content-Length: 0x2'], '{}')),
  createRow('a huge length', toPost(['Content-Length: 99999999999999999999'], '{}')),
  createRow(
    'chunked encoding that is not the last encoding',
    toPost(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'),
  ),
  createRow('an unknown transfer encoding', toPost(['Transfer-Encoding: xchunked'], '0\r\n\r\n')),
  createChunksRow('chunked encoding twice and a length', '0\r\n\r\n', [
    'Transfer-Encoding: chunked, chunked',
    'Content-Length: 3',
  ]),
  createChunksRow('an invalid chunk size', 'zz\r\n{}\r\n0\r\n\r\n'),
  createChunksRow('a negative chunk size', '-2\r\n{}\r\n0\r\n\r\n'),
  createChunksRow('a huge chunk size', 'FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n'),
  createChunksRow('a chunk with a huge extension', `2;${'x'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`),
  createChunksRow('a chunk that is longer than its size', '1\r\n{}\r\n0\r\n\r\n'),
  { ...createChunksRow('chunks that never end', '2\r\n{}\r\n'), ends: true },
  createChunksRow('too many trailers', `2\r\n{}\r\n0\r\n${`X-Long: ${'x'.repeat(1_000)}\r\n`.repeat(40)}\r\n`),
];

const headers: Row[] = [
  createHeaderRow('a folded header', ['X-Folded: a', ' b']),
  createHeaderRow('a space before the colon', 'X-Spaced : a'),
  createHeaderRow('a null byte in a header', 'X-Zero: a\0b'),
  createHeaderRow('a bare carriage return in a header', 'X-Bare: a\rX-Injected: yes'),
  createHeaderRow('a bare line feed in a header', 'X-Bare: a\nX Injected'),
  createHeaderRow('a header without a name', ': a'),
  createHeaderRow('a header without a colon', 'X-Nothing'),
  createHeaderRow('a header with an invalid name', 'X(a)é: b'),
  createHeaderRow('a huge header', `X-Long: ${'x'.repeat(20_000)}`),
  createHeaderRow('a huge header name', `${'x'.repeat(20_000)}: a`),
  createHeaderRow(
    'thousands of headers',
    Array.from({ length: 3_000 }, (_, at) => `X-${at}: a`),
  ),
  createHeaderRow('a huge cookie', `X-Cookie: ${'a=b; '.repeat(5_000)}`),
  createHeaderRow('an unknown expectation', 'Expect: something-else'),
  createHeaderRow(
    'an invalid WebSocket upgrade',
    ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 99', 'Sec-WebSocket-Key: x'],
    ['practice'],
  ),
  createHeaderRow(
    'an upgrade to HTTP/2',
    ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
    ['practice'],
  ),
  createHeaderRow('an empty upgrade', ['Connection: Upgrade', 'Upgrade: \t'], all),
  createHeaderRow('another method in a header', 'X-HTTP-Method-Override: DELETE', all),
  createHeaderRow('another host in a header', 'X-Forwarded-Host: evil.example', all),
  createHeaderRow('an invalid range', 'Range: bytes=9-1,a-b,-', all),
  createHeaderRow('the origin of another page', 'Origin: https://evil.example'),
  createHeaderRow('the origin null', 'Origin: null'),
];

const targets: Row[] = [
  createLineRow('an absolute address of another host', ({ read }) => `GET http://evil.example${read} HTTP/1.1`),
  createLineRow('an absolute address of the server', ({ host: own, read }) => `GET http://${own}${read} HTTP/1.1`, [
    'practice',
  ]),
  createLineRow('a CONNECT request', () => 'CONNECT evil.example:443 HTTP/1.1'),
  createLineRow('OPTIONS for *', () => 'OPTIONS * HTTP/1.1'),
  createPathRow('GET for *', '*'),
  createPathRow('a path without a leading slash', 'listings'),
  createPathRow('an invalid percent encoding', '/listings/%zz'),
  createPathRow('encoded bytes that are not UTF-8', '/listings/%ff%fe'),
  createPathRow('an encoded null byte', '/listings/%00'),
  createPathRow('a long path', `/${'x'.repeat(20_000)}`),
  createPathRow('a path out of the root', '/../../../../etc/passwd'),
  createPathRow('an encoded path out of the root', '/..%2f..%2f..%2fetc%2fpasswd'),
  createPathRow('a path out of the root with backslashes', '/..\\..\\windows\\win.ini'),
  createPathRow('a space in the path', '/listings /x'),
  createPathRow('a control character in the path', '/listings/\x07'),
  createPathRow('a path that is not ASCII', '/listings/é'),
  createLineRow('a host in the path', () => 'GET //evil.example/%2f.. HTTP/1.1'),
  createPathRow('prototype names in the path', '/__proto__/constructor'),
  createLineRow('a lowercase method', ({ read }) => `get ${read} HTTP/1.1`),
  createLineRow('an unknown method', ({ read }) => `FROB ${read} HTTP/1.1`),
  createLineRow('a huge method', ({ read }) => `${'G'.repeat(20_000)} ${read} HTTP/1.1`),
  createLineRow('an unknown HTTP version', ({ read }) => `GET ${read} HTTP/9.9`),
  createLineRow('HTTP/2 in the request line', ({ read }) => `GET ${read} HTTP/2.0`),
  // Node parses it as HTTP/1.0.
  createLineRow('another protocol', ({ read }) => `GET ${read} RTSP/1.0`, all),
  createRawRow('a request line without a protocol', 'GET /\r\n\r\n'),
  createRawRow('an HTTP/2 preface without an upgrade', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  createRawRow('an SSH banner', 'SSH-2.0-nobody\r\n'),
  createRawRow('a TLS handshake', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])),
  createRawRow('only null bytes', Buffer.alloc(10_000)),
  createRawRow('only line feeds', '\r\n'.repeat(10_000)),
];

const hosts: Row[] = [
  createHostRow('another host', () => ['Host: evil.example']),
  createHostRow('no host', () => []),
  createHostRow('an empty host', () => ['Host: ']),
  createHostRow('two different hosts', (own) => [`Host: ${own}`, 'Host: evil.example']),
  createHostRow('the same host twice', (own) => [`Host: ${own}`, `Host: ${own}`]),
  createHostRow('a list of hosts', (own) => [`Host: ${own}, evil.example`]),
  createHostRow('a user in front of the host', (own) => [`Host: evil@${own}`]),
  createHostRow('a host with a trailing dot', (own) => [`Host: ${own.replace(':', '.:')}`]),
];

const nestJson = (levels: number, [open, close] = ['[', ']']): string =>
  `{"a":${open.repeat(levels)}1${close.repeat(levels)}}`;
const bodies: Row[] = [
  createContentRow('deeply nested JSON', nestJson(100)),
  createContentRow('very deeply nested JSON', nestJson(200_000)),
  createContentRow('very deeply nested objects', nestJson(100_000, ['{"a":', '}'])),
  createContentRow('a JSON key twice', '{"quantity":1,"quantity":2}', ['practice']),
  createContentRow('__proto__ as a JSON key', '{"__proto__":{"admin":true},"constructor":1}', ['practice']),
  createContentRow('a byte order mark', '\uFEFF{}'),
  createContentRow('half a surrogate pair', '{"additionalContext":"\\ud800"}', all),
  createContentRow('an infinite number', '{"quantity":1e400}'),
  createContentRow('two JSON values', '{}{}'),
  createContentRow('truncated JSON', '{"quantity":'),
  createContentRow('null as JSON', 'null'),
  createContentRow('an array as JSON', '[]'),
  createContentRow('JSON followed by a null byte', '{}\0'),
  createContentRow('three MiB of JSON', `{"additionalContext":"${'x'.repeat(3 * 2 ** 20)}"}`),
  {
    what: 'bytes that are not UTF-8',
    bytes: (target) => {
      const body = Buffer.concat([
        Buffer.from('{"additionalContext":"'),
        Buffer.from([0xff, 0xfe, 0xc0]),
        Buffer.from('"}'),
      ]);
      return Buffer.concat([Buffer.from(toRequest(target, toPost([`Content-Length: ${body.length}`])(target))), body]);
    },
  },
  createRow(
    'a content encoding that does not match the bytes',
    toPost(['Content-Encoding: gzip', 'Content-Length: 2'], '{}'),
  ),
  createRow('an unknown content encoding', toPost(['Content-Encoding: x', 'Content-Length: 2'], '{}')),
  createRow('another charset', ({ write }) => ({
    line: `POST ${write} HTTP/1.1`,
    headers: ['Content-Type: application/json; charset=utf-7', 'Content-Length: 2'],
    body: '{}',
  })),
  createRow('form data', ({ write }) => ({
    line: `POST ${write} HTTP/1.1`,
    headers: ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 3'],
    body: 'a=b',
  })),
  { ...createRow('a truncated body', toPost(['Content-Length: 500'], '{"quantity":')), ends: true },
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
    bytes: (target) => toRequest(target, { isFollowed: true }).repeat(2) + toRequest(target, {}),
    passes: all,
  },
  {
    what: 'two thousand requests at once',
    bytes: (target) => toRequest(target, { isFollowed: true }).repeat(2_000) + toRequest(target, {}),
    passes: all,
  },
  {
    what: 'a request followed by junk',
    bytes: (target) => `${toRequest(target, { isFollowed: true })}\0\0\0 junk${end}`,
    passes: all,
  },
  {
    what: 'a request inside the body of another',
    bytes: (target) =>
      toRequest(target, { ...toPost(['Content-Length: 0'])(target), isFollowed: true }) +
      toRequest(target, { line: 'DELETE / HTTP/1.1' }),
    passes: all,
  },
];

/** Requests that no correct client makes. */
export const rows: readonly Row[] = [...smuggled, ...headers, ...targets, ...hosts, ...bodies, ...streams];
