/** A complete answer of the service, before it is spoilt. */
export type Reply = { status: number; headers: Record<string, string>; body: Buffer };
/** How an answer is sent: complete, slowly, cut off, with a wrong length, or as invalid bytes. */
export type SpoiltReply =
  | { kind: 'answer'; reply: Reply }
  | { kind: 'slow' | 'half' | 'short' | 'long'; reply: Reply }
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'dropped' }
  | { kind: 'reset' };

export type Dice = {
  chance: (share: number) => boolean;
  pick: <T>(from: readonly T[]) => T;
  below: (most: number) => number;
};

export const diceFrom = (random: () => number): Dice => ({
  chance: (share) => random() < share,
  pick: <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T,
  below: (most) => Math.floor(random() * most),
});

/** Marks every sentence of the service, to tell it from the companion's own sentences. */
export const mark = '§';

const oddNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  'toJSON',
  '',
  '\u202e',
  'length',
];
const oddTexts = [
  ...['', ' ', '\0', '\u202eabc', '\ud800', 'null', 'javascript:alert(1)', 'file:///etc/passwd', '../..', '$&', '%s%n'],
  ...[
    '{{name}}',
    '<script>',
    '&constructor;&amp;&#x110000;',
    'MKT___proto__',
    '9'.repeat(400),
    '🙂'.repeat(2_000),
    'x'.repeat(40_000),
  ],
  ...[
    'http://169.254.169.254/',
    'https://user:pass@evil.example/',
    'http://127.0.0.1:1/',
    '0000-00-00T99:99:99Z',
    '+275760-09-13T00:00:01Z',
  ],
];
const oddNumbers = ['1e400', '-1e400', '-0', '1.5', '99999999999999999999', '-1', '5e-324', '9007199254740993'];
const oddCodes = [
  ...oddNames,
  'INTERNAL',
  'two words',
  'a'.repeat(65),
  'A'.repeat(64),
  'RECONNECT_NEEDED',
  'NO_ANSWER',
  'overage-x',
  '\n',
];

const nestJson = (levels: number, [open, close]: readonly [string, string]): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;
const pairs = [
  ['[', ']'],
  ['{"a":', '}'],
  ['[{"a":', '}]'],
] as const;

const createOddJson = (dice: Dice): string =>
  dice.pick<() => string>([
    () => JSON.stringify(dice.pick(oddTexts)),
    () => JSON.stringify(dice.pick(oddTexts)),
    () => dice.pick(oddNumbers),
    () => dice.pick(['null', 'true', 'false', '[]', '{}', '[null]', '[[],{}]', '""', '0']),
    () => `{${JSON.stringify(dice.pick(oddNames))}:{"title":7,"status":"live"}}`,
    () => nestJson(dice.pick([10, 60, 70, 500, 5_000, 100_000]), dice.pick(pairs)),
    () => `[${`${dice.pick(['{}', '[]', '1', '""', '{"a":1}'])},`.repeat(dice.pick([10, 1_000, 250_000]))}0]`,
  ])();

/** Replaces some values of a JSON text with odd values, and adds odd names. */
const mutateJson = (dice: Dice, text: string): string => {
  const share = dice.pick([0.02, 0.1, 0.4]);
  const odd: string[] = [];
  const putOdd = (): string => `\u0001${odd.push(createOddJson(dice)) - 1}\u0001`;
  const mutateValue = (value: unknown): unknown => {
    if (dice.chance(share)) return putOdd();
    if (Array.isArray(value)) return dice.chance(share) ? [] : value.map(mutateValue);
    if (value === null || typeof value !== 'object') return value;
    // Sentences of refusals must stay marked, so only `refusal` creates them.
    const entries = Object.entries(value)
      .filter(() => !dice.chance(share / 2))
      .map(([name, part]): [string, unknown] => [
        dice.chance(share / 4) ? dice.pick(oddNames) : name,
        name === 'error' ? part : mutateValue(part),
      ]);
    if (dice.chance(share)) entries.push([dice.pick(oddNames), putOdd()]);
    return Object.fromEntries(entries);
  };
  const whole = JSON.stringify(mutateValue(JSON.parse(text)));
  return whole.replace(/"\\u0001(\d+)\\u0001"/g, (_place, at: string) => odd[Number(at)] ?? '0');
};

const createRefusal = (dice: Dice): string => {
  const fields = [
    dice.chance(0.9)
      ? `"error":${dice.chance(0.8) ? JSON.stringify(`${mark} ${dice.pick(oddTexts)}`) : createOddJson(dice).replace(/^"/, `"${mark}`)}`
      : '',
    dice.chance(0.8) ? `"code":${dice.chance(0.9) ? JSON.stringify(dice.pick(oddCodes)) : createOddJson(dice)}` : '',
    dice.chance(0.3) ? `"message":${dice.pick(['"Forbidden"', '"Forbidden"', createOddJson(dice)])}` : '',
    dice.chance(0.3) ? `${JSON.stringify(dice.pick(oddNames))}:${createOddJson(dice)}` : '',
    dice.chance(0.2) ? '"rateCents":"x","code":7' : '',
  ];
  return `{${fields.filter(Boolean).join(',')}}`;
};

const statuses = [
  200, 201, 202, 204, 206, 226, 299, 300, 301, 302, 304, 307, 400, 401, 403, 404, 409, 418, 422, 429, 451, 500, 502,
  503, 599, 999,
];
const oddHeaders: Record<string, string>[] = [
  { 'retry-after': '1e300' },
  { 'retry-after': '-1' },
  { 'retry-after': '5' },
  { 'retry-after': '\xff\xfe' },
  { 'idempotent-replayed': 'x'.repeat(10_000) },
  { location: 'http://169.254.169.254/', 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  { 'content-type': 'text/html; charset=utf-16' },
  { 'content-type': '' },
  { 'set-cookie': 'a=b', 'x-junk': 'j'.repeat(12_000) },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br', vary: '*' },
  { 'access-control-allow-origin': '*', 'transfer-encoding': 'chunked' },
  { link: '<x>; rel=preload', age: '-1', etag: 'W/"x' },
];
const createJunk = (dice: Dice): Buffer =>
  Buffer.from(
    dice.pick([
      'SSH-2.0-nobody\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":1}',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\nx',
      `${'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(50)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}`,
      `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(5_000)}\r\n{}`,
      'HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 2\r\n\r\n{}',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
      'HTTP/1.1 007 \r\n\r\n',
      '\0\xff\xfe'.repeat(100),
    ]),
    'latin1',
  );
const createText = (dice: Dice, text: string, key: string): Buffer =>
  dice.pick<() => Buffer>([
    () => Buffer.from(text.slice(0, dice.below(text.length + 1))),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(text + text),
    () => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xc0, 0x80])]),
    () => Buffer.from('<html><h1>502 Bad Gateway</h1>'),
    () => Buffer.alloc(0),
    () => Buffer.from(`{"error":"${mark} ${key}","code":"ECHO","token":"${key}"}`),
    () => Buffer.from(text.replace(/"[^"]*"/, `"${key}"`)),
    () => Buffer.alloc(dice.pick([70_000, 1_000_000, 17 * 1024 * 1024]), '[] '),
  ])();

/** Spoils most answers in ways that the companion must survive. */
export const spoil = (dice: Dice, whole: Reply, key: string): SpoiltReply => {
  if (dice.chance(0.45)) return { kind: 'answer', reply: whole };
  if (dice.chance(0.08)) return { kind: 'bytes', bytes: createJunk(dice) };
  if (dice.chance(0.06)) return { kind: dice.pick(['dropped', 'reset'] as const) };
  const text = whole.body.toString();
  const isJson = whole.headers['content-type']?.includes('json') === true && text !== '';
  const reply: Reply = { ...whole, headers: { ...whole.headers } };
  const how = dice.below(10);
  if (how < 4 && isJson) reply.body = Buffer.from(mutateJson(dice, text));
  else if (how < 6)
    Object.assign(reply, {
      status: dice.pick(statuses.filter((one) => one >= 400)),
      body: Buffer.from(createRefusal(dice)),
    });
  else if (how < 8) reply.body = createText(dice, text, key);
  else if (how < 9) reply.status = dice.pick(statuses);
  else Object.assign(reply.headers, dice.pick(oddHeaders));
  return { kind: dice.chance(0.85) ? 'answer' : dice.pick(['slow', 'half', 'short', 'long'] as const), reply };
};
