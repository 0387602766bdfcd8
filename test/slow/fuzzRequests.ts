import { refusedRoutes, routeNames, getRouteByName } from '../../src/contract/index.ts';
import { operationKeys } from '../../src/bridge/ownOperations.ts';

export type FuzzRequest = { method: string; path: string; headers: Record<string, string>; body: string | null };
/** Real tokens and ids of both assistants, which the requests use. */
export type FuzzFacts = { host: string; tokens: string[]; ids: string[] };

/** Creates a generator of pseudorandom numbers from 0 to 1 (mulberry32). */
const createNumbers = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const calls = [
  ...routeNames.map((name) => `${getRouteByName(name).method} ${getRouteByName(name).path}`),
  ...operationKeys,
  ...refusedRoutes.map(({ method, path }) => `${method === 'ANY' ? 'POST' : method} ${path}`),
];
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'];
const segments = [
  ...['..', '.', '%2e%2e', '%2E', '%00', 'a%2Fb', '%5c', '%ff', '%zz', '%', '', 'x', '0', '-1', 'null', 'undefined'],
  ...['__proto__', 'constructor', 'toString', 'me', 'current', 'batch', '%F0%9F%93%B7', '%E2%80%AE', ';a=b', '*', '~'],
  ...['x'.repeat(300), 'x'.repeat(3_000), '%27%3B--', '%3Cscript%3E', '${7*7}', '%0d%0aX:y'],
];
const queries = [
  '',
  '',
  '',
  '?limit=1',
  '?limit=-1',
  '?limit=x',
  '?wait=1',
  '?wait=x',
  '?cursor=%00',
  '?q=%zz',
  '?__proto__=1',
  '?a=1&a=2',
];
const keys = [
  ...[
    'listingId',
    'title',
    'price',
    'quantity',
    'folder',
    'photos',
    'note',
    'name',
    'requests',
    'method',
    'path',
    'body',
  ],
  ...[
    'bestOffer',
    'action',
    'files',
    'count',
    'rateCents',
    'enabled',
    'confirmed',
    'constructor',
    '__proto__',
    'jsonrpc',
  ],
  ...['id', 'params', 'arguments', 'marketplaceId', 'intent', 'extrasApprovalId', 'channels', 'message', 'email', ''],
];
const types = [
  'application/json',
  'application/json',
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'image/jpeg',
  'application/x-www-form-urlencoded',
  '',
];
const oddHeaders: [string, string][] = [
  ...['wait=1', 'wait=99999', 'respond-async', ';;;'].map((value): [string, string] => ['prefer', value]),
  ...['%E2%80%AEx', '%', 'because', 'x'.repeat(2_000)].map((value): [string, string] => ['companion-reason', value]),
  ...['k-1', 'x'.repeat(65), 'a b', ''].map((value): [string, string] => ['idempotency-key', value]),
  ...['x', '-1', '99999999999999999999'].map((value): [string, string] => ['last-event-id', value]),
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-host', 'evil.example'],
  ['accept', 'text/event-stream'],
  ['accept', 'application/json, text/event-stream'],
  ['mcp-protocol-version', '1999-01-01'],
  ['content-encoding', 'gzip'],
  ['range', 'bytes=0-1'],
  ['cookie', 'token=x'],
];

/** Creates a generator of requests; most are nearly valid, so that they pass the guard. */
export const fuzzRequests = (seed: number, facts: FuzzFacts): (() => FuzzRequest) => {
  const random = createNumbers(seed);
  const isChosen = (share: number): boolean => random() < share;
  const pickOne = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

  const createValue = (depth: number): unknown => {
    const kinds: (() => unknown)[] = [
      () => pickOne(facts.ids),
      () =>
        pickOne([
          '',
          'x',
          'MKT_US',
          'confirm',
          'quote',
          '/etc/passwd',
          '/market/publish/x',
          '\u202e',
          '\ud800',
          'a'.repeat(5_000),
        ]),
      () => pickOne([0, 1, -1, 1.5, 1e308, 2 ** 53, -0]),
      () => pickOne([true, false, null]),
      () => Array.from({ length: Math.floor(random() * 4) }, () => createValue(depth - 1)),
      () =>
        Object.fromEntries(
          Array.from({ length: Math.floor(random() * 4) }, () => [pickOne(keys), createValue(depth - 1)]),
        ),
    ];
    return pickOne(depth > 0 ? kinds : kinds.slice(0, 4))();
  };
  const createJson = (): string =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: Math.floor(random() * 6) }, () => [pickOne(keys), createValue(3)])),
    );
  const createBody = (): string => {
    if (isChosen(0.8)) return createJson();
    if (isChosen(0.5)) return createJson().slice(0, Math.floor(random() * 40));
    return pickOne([
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '{"a":1,"a":2}',
      '{"__proto__":{}}',
      '\uFEFF{}',
      '['.repeat(500),
      'a=b',
      '0'.repeat(70_000),
    ]);
  };
  const createPath = (pattern: string): string => {
    const filled = pattern
      .split('/')
      .map((part) => (part.startsWith('{') ? pickOne(isChosen(0.6) ? facts.ids : segments) : part));
    if (isChosen(0.1))
      filled.splice(1 + Math.floor(random() * filled.length), isChosen(0.5) ? 1 : 0, pickOne(segments));
    return `${isChosen(0.02) ? '/' : ''}${filled.join('/') || '/'}${pickOne(queries)}`;
  };
  const createHeaders = (sends: boolean): Record<string, string> => {
    const token = isChosen(0.6) ? pickOne(facts.tokens) : pickOne(['', 'x', 'lct_x', 'undefined']);
    const type = pickOne(types);
    return {
      host: isChosen(0.9)
        ? facts.host
        : pickOne(['evil.example', 'localhost', '[::1]:1', 'localhost.', 'x'.repeat(100)]),
      ...(isChosen(0.92) ? {} : { origin: pickOne(['null', 'http://127.0.0.1', '']) }),
      ...(token === ''
        ? {}
        : { authorization: `${isChosen(0.95) ? 'Bearer' : pickOne(['bearer', 'Basic', 'Pairing'])} ${token}` }),
      ...(sends && type !== '' ? { 'content-type': type } : {}),
      ...Object.fromEntries(isChosen(0.3) ? [pickOne(oddHeaders), pickOne(oddHeaders)] : []),
    };
  };

  return () => {
    const [method = '', pattern = ''] = pickOne(calls).split(' ');
    const chosen = isChosen(0.85) ? method : pickOne(methods);
    const sends = !['GET', 'HEAD', 'TRACE'].includes(chosen) ? isChosen(0.9) : isChosen(0.1);
    return {
      method: chosen,
      path: createPath(pattern),
      headers: createHeaders(sends),
      body: sends ? createBody() : null,
    };
  };
};
