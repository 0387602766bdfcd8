import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSocket, buildRawRequest, readAnswer, sendRaw } from '../../helpers/bridge/raw.ts';
import { readEverything, startScene, type Scene } from '../../helpers/bridge/scene.ts';

/** The values that a request line or header can contain. */
type Placeholders = { scene: Scene; port: string; approval: string; item: string; listing: string };
/** A request that is refused. Its parts are written to the socket unchanged. */
type Row = {
  what: string;
  line: string | ((values: Placeholders) => string);
  host?: (port: string) => string | null;
  headers?: string[] | ((values: Placeholders) => string[]);
  body?: string;
  /** Sends the token of a paired assistant. */
  known?: true;
  refused: readonly [status: number, code: string, sentence: RegExp];
};

const wrongHost = [421, 'WRONG_HOST', /^Call the companion at http:\/\/127\.0\.0\.1:\d+\.$/] as const;
const originRefused = [403, 'ORIGIN_REFUSED', /^Web pages may not call the companion\.$/] as const;
const unauthorized = [401, 'UNAUTHORIZED', /^Pair with the companion first: /] as const;
const jsonOnly = [415, 'JSON_ONLY', /^Send the body as application\/json\.$/] as const;
const noRoute = [404, 'UNKNOWN_ROUTE', /no such path\. See \/companion\/guide\.$/] as const;
const notForAssistants = [403, 'NOT_FOR_ASSISTANTS', /^This part of the service is not for assistants\.$/] as const;
const buildJsonRefusal = (sentence: RegExp) => [400, 'INVALID_REQUEST', sentence] as const;
const method = [405, 'METHOD_NOT_ALLOWED', /^This path takes [A-Z and]+\.$/] as const;
const json = ['Content-Type: application/json'];

const buildHostRow = (what: string, made: (port: string) => string | null): Row => ({
  what,
  line: 'GET /agent/me',
  host: made,
  known: true,
  refused: wrongHost,
});
const buildOriginRow = (value: string): Row => ({
  what: `the origin “${value}”`,
  line: 'GET /companion',
  headers: [`Origin: ${value}`],
  refused: originRefused,
});
/** Requests with the headers that a browser adds to every request of a page. */
const buildBrowserRows = (...headers: string[]): Row[] =>
  [
    'GET /companion',
    'GET /llms.txt',
    'GET /health',
    'GET /agent/me',
    'GET /companion/events',
    'POST /mcp',
    'POST /companion/pairings',
    'PUT /uploads/none',
  ].map((line) => ({
    what: `${headers.join(', ')} on ${line}`,
    line,
    headers: [...headers, ...(line.startsWith('GET') ? [] : json)],
    ...(line.startsWith('GET') ? {} : { body: '{"name":"A page"}' }),
    known: true,
    refused: originRefused,
  }));
const buildTypeRow = (what: string, value: string | null, body = '{}'): Row => ({
  what: `a body with ${what}`,
  line: 'POST /listings',
  headers: value === null ? [] : [`Content-Type: ${value}`],
  body,
  known: true,
  refused: jsonOnly,
});
const buildContentRow = (what: string, body: string, sentence: RegExp): Row => ({
  what,
  line: 'POST /listings',
  headers: json,
  body,
  known: true,
  refused: buildJsonRefusal(sentence),
});
const buildPathRow = (line: string, refused: Row['refused'] = noRoute): Row => ({
  what: line,
  line,
  known: true,
  refused,
});

const rows: Row[] = [
  buildHostRow('another host name', () => 'evil.example'),
  buildHostRow('another host name on this port', (port) => `evil.example:${port}`),
  buildHostRow('a host name with a trailing dot', (port) => `localhost.:${port}`),
  buildHostRow('an IPv6 host', (port) => `[::1]:${port}`),
  buildHostRow('the host 0.0.0.0', (port) => `0.0.0.0:${port}`),
  buildHostRow('a host as a decimal number', (port) => `2130706433:${port}`),
  buildHostRow('a host with a user name', (port) => `x@127.0.0.1:${port}`),
  buildHostRow('a host with another port', (port) => `127.0.0.1:${Number(port) + 1}`),
  buildHostRow('a host without a port', () => '127.0.0.1'),
  buildHostRow('an empty host', () => ''),
  buildHostRow('no host', () => null),
  {
    what: 'two Host headers',
    line: 'GET /agent/me',
    headers: ['Host: evil.example'],
    known: true,
    refused: wrongHost,
  },
  buildOriginRow('http://127.0.0.1'),
  buildOriginRow('https://evil.example'),
  buildOriginRow('null'),
  buildOriginRow(''),
  ...buildBrowserRows('Sec-Fetch-Site: cross-site'),
  ...buildBrowserRows('Sec-Fetch-Site: same-site', 'Sec-Fetch-Mode: no-cors'),
  ...buildBrowserRows('sec-fetch-site: same-origin'),
  ...buildBrowserRows('SEC-FETCH-SITE: Cross-Site'),
  ...buildBrowserRows('Sec-Fetch-Site: none', 'Sec-Fetch-Site: cross-site'),
  ...buildBrowserRows('Sec-Fetch-Site:'),
  ...buildBrowserRows('ORIGIN:'),
  {
    what: 'a preflight of a web page',
    line: 'OPTIONS /listings',
    headers: ['Origin: https://evil.example', 'Access-Control-Request-Method: POST'],
    refused: originRefused,
  },

  { what: 'no token', line: 'GET /agent/me', refused: unauthorized },
  ...['Bearer lct_wrong', 'Bearer ', 'Bearer', 'bearer x', 'Basic YTpi', 'Pairing x', ''].map((value): Row => ({
    what: `the token “${value}”`,
    line: 'GET /agent/me',
    headers: [`Authorization: ${value}`],
    refused: unauthorized,
  })),
  {
    what: 'the token in the query',
    line: ({ scene }) => `GET /agent/me?token=${scene.one.token}&access_token=${scene.one.token}`,
    refused: unauthorized,
  },
  {
    what: 'the token in a cookie',
    line: 'GET /agent/me',
    headers: ({ scene }) => [`Cookie: token=${scene.one.token}`, `X-Api-Key: ${scene.one.token}`],
    refused: unauthorized,
  },
  ...['GET /companion/me', 'GET /companion/events', 'GET /companion/items', 'GET /companion/approvals'].map(
    (line): Row => ({ what: `no token for ${line}`, line, refused: unauthorized }),
  ),
  { what: 'no token for MCP', line: 'POST /mcp', headers: json, body: '{}', refused: unauthorized },

  ...['GET', 'DELETE'].map((verb): Row => ({
    what: `${verb} of another assistant's approval`,
    line: ({ approval }) => `${verb} /companion/approvals/${approval}`,
    known: true,
    refused: [404, 'NOT_FOUND', /^There is no such approval of yours\.$/],
  })),
  {
    what: "another assistant's item",
    line: ({ item }) => `GET /companion/items/${item}`,
    known: true,
    refused: [404, 'NOT_FOUND', /^There is no such item of yours\.$/],
  },

  buildTypeRow('the type text/plain', 'text/plain'),
  buildTypeRow('a form type', 'application/x-www-form-urlencoded', 'a=b'),
  buildTypeRow('a multipart type', 'multipart/form-data; boundary=x', '--x--'),
  buildTypeRow('no type', null),
  buildTypeRow('JSON in another charset', 'application/json; charset=utf-16'),
  buildTypeRow('another parameter of the JSON type', 'application/json; charset=utf-8; x=y'),
  buildTypeRow('the type application/json5', 'application/json5'),
  buildTypeRow('a photo type, on a path without photos', 'image/jpeg', 'x'),

  buildContentRow('JSON with a byte order mark', '\uFEFF{}', /^The body is not valid JSON\.$/),
  buildContentRow('invalid JSON', '{"quantity":', /^The body is not valid JSON\.$/),
  buildContentRow('two JSON values', '{}{}', /^The body is not valid JSON\.$/),
  buildContentRow('deeply nested JSON', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, /^The body is nested too deep\.$/),
  buildContentRow('very deeply nested JSON', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, /^The body is n/),
  buildContentRow(
    'a duplicate key',
    '{"quantity":1,"quantity":2}',
    /^The body has the key “quantity” twice\. Send it once\.$/,
  ),
  buildContentRow(
    'a duplicate key with an escape',
    '{"quantity":1,"quantit\\u0079":2}',
    /^The body has the key “quantity” twice\./,
  ),
  buildContentRow('the key __proto__', '{"__proto__":{"admin":true}}', /^A key of that name is not accepted\.$/),
  buildContentRow('a nested key __proto__', '{"a":[{"\\u005f_proto__":1}]}', /^A key of that name is not accepted\.$/),
  buildContentRow('a body that is not an object', '[]', /\.$/),

  buildPathRow('GET /secrets'),
  buildPathRow('GET //listings'),
  buildPathRow('GET /listings//'),
  buildPathRow('GET /listings/'),
  buildPathRow('GET /listings/..%2Fagent'),
  buildPathRow('GET /listings/%2e%2e/agent/me'),
  buildPathRow('GET /listings/../agent/me'),
  buildPathRow('GET /listings/.'),
  buildPathRow('GET /listings/%2e%2e'),
  buildPathRow('GET /listings/a%2Fb'),
  buildPathRow('GET /listings/%zz'),
  buildPathRow('GET /listings/%ff'),
  buildPathRow('GET /companion/../listings'),
  buildPathRow('GET //companion/me'),
  buildPathRow('GET /companion/nothing'),
  buildPathRow('GET /COMPANION/me'),
  buildPathRow('GET /companion/approvals/%zz'),
  buildPathRow('GET /practice/journal'),
  buildPathRow('GET http://evil.example/listings'),
  buildPathRow('GET http:/listings', buildJsonRefusal(/^This is not a request that the companion understands\.$/)),
  buildPathRow('GET listings', buildJsonRefusal(/^This is not a request that the companion understands\.$/)),
  {
    what: 'an absolute URL with the valid host',
    line: ({ port }) => `GET http://127.0.0.1:${port}/listings`,
    known: true,
    refused: noRoute,
  },

  buildPathRow('POST /agent/auth/start', [
    403,
    'CONNECTION_IS_THE_PERSONS',
    /^Only the person can connect the account/,
  ]),
  buildPathRow('POST /agent/auth/verify', [
    403,
    'CONNECTION_IS_THE_PERSONS',
    /^Only the person can connect the account/,
  ]),
  buildPathRow('POST /auth/login', notForAssistants),
  buildPathRow('POST /subscriptions/upgrade', notForAssistants),
  buildPathRow('POST /agent/keys', notForAssistants),
  buildPathRow('GET /admin/a/b/c', notForAssistants),
  buildPathRow('POST /market/notifications', notForAssistants),
  buildPathRow('GET /unsubscribe', notForAssistants),

  buildPathRow('PATCH /listings', method),
  buildPathRow('TRACE /listings', method),
  buildPathRow('OPTIONS /listings', method),
  buildPathRow('OPTIONS /companion/approvals', method),
  buildPathRow('TRACE /companion/me', method),
  buildPathRow('PUT /companion/me', method),
  buildPathRow('DELETE /companion/items', method),
  buildPathRow('PROPFIND /listings', method),
  buildPathRow('FOO /listings', buildJsonRefusal(/^This is not a request that the companion understands\.$/)),

  {
    what: '“..” in place of a listing id',
    line: 'POST /companion/listings/../photos',
    headers: json,
    body: '{"photos":["/tmp/x.jpg"]}',
    known: true,
    refused: noRoute,
  },
  {
    what: 'an encoded “..” in place of a listing id',
    line: 'POST /companion/listings/%2e%2e/photos',
    headers: json,
    body: '{"photos":["/tmp/x.jpg"]}',
    known: true,
    refused: noRoute,
  },
  {
    what: 'a photo for an encoded “..” in place of a listing id',
    line: 'POST /companion/listings/%2e%2e%2fagent/photos',
    headers: ['Content-Type: image/jpeg'],
    body: 'x',
    known: true,
    refused: noRoute,
  },
  {
    what: 'an unknown field',
    line: 'POST /companion/items',
    headers: json,
    body: '{"folder":"/tmp","force":true}',
    known: true,
    refused: [400, 'INVALID_REQUEST', /\.$/],
  },
];

let scene: Scene;
let placeholders: Placeholders;
beforeAll(async () => {
  scene = await startScene();
  const { world, other } = scene;
  const { id, listingId } = await scene.question(other);
  const by = { kind: 'assistant' as const, assistantId: other.assistantId, name: 'Other Helper' };
  const [item = ''] = (await world.companion().add({ kind: 'paths', paths: [await world.folder('lamp')] }, by)).itemIds;
  await world.item(item, 'review');
  placeholders = { scene, port: new URL(scene.url).port, approval: id, item, listing: listingId };
});
afterAll(() => scene.close());

const fillPlaceholders = <T>(value: T | ((values: Placeholders) => T)): T =>
  typeof value === 'function' ? (value as (values: Placeholders) => T)(placeholders) : value;

test.each(rows)(
  'a refused request changes nothing: $what',
  async ({ line, host: named, headers = [], body = '', known, refused }) => {
    const before = await readEverything(scene);
    const name = named?.(placeholders.port);
    const request = buildRawRequest(scene.url, fillPlaceholders(line), {
      ...(name === undefined ? {} : { host: name }),
      headers: [...fillPlaceholders(headers), ...(known ? [`Authorization: Bearer ${scene.one.token}`] : [])],
      body,
    });
    const answer = await sendRaw(scene.url, request);
    const [status, code, sentence] = refused;
    expect([answer.status, answer.body['code']]).toEqual([status, code]);
    expect(answer.body['error']).toMatch(sentence);
    expect(Object.keys(answer.headers).filter((header) => header.startsWith('access-control'))).toEqual([]);
    expect(await readEverything(scene)).toEqual(before);
  },
);

test('both valid host names are accepted together with a valid token', async () => {
  const headers = [`Authorization: Bearer ${scene.one.token}`];
  for (const host of [`127.0.0.1:${placeholders.port}`, `localhost:${placeholders.port}`])
    expect((await sendRaw(scene.url, buildRawRequest(scene.url, 'GET /agent/me', { host, headers }))).status).toBe(200);
});

test('requests from programs other than browsers are accepted', async () => {
  for (const mark of ['Sec-Fetch-Site: none', 'Sec-Fetch-Mode: cors'])
    expect((await sendRaw(scene.url, buildRawRequest(scene.url, 'GET /health', { headers: [mark] }))).status).toBe(200);
  const headers = { authorization: `Bearer ${scene.one.token}` };
  expect((await fetch(`${scene.url}/companion/me`, { headers })).status).toBe(200);
});

test('a request from a web page is refused before its body is sent', async () => {
  const socket = await openSocket(scene.url);
  const answer = readAnswer(socket);
  const marks = ['Sec-Fetch-Site: cross-site', 'Expect: 100-continue', 'Content-Length: 9', ...json];
  socket.write(buildRawRequest(scene.url, 'POST /companion/pairings', { headers: marks }));
  expect(await answer).toMatchObject({ status: 403, body: { code: 'ORIGIN_REFUSED' } });
  socket.destroy();
});

test('a request with Expect: 100-continue gets the 100 response once it is accepted', async () => {
  const socket = await openSocket(scene.url);
  let got = '';
  socket.on('data', (chunk: Buffer) => (got += chunk.toString()));
  const body = '{"additionalContext":"red"}';
  const headers = [...json, `Authorization: Bearer ${scene.one.token}`, 'Expect: 100-continue'];
  socket.write(
    buildRawRequest(scene.url, 'POST /listings', { headers: [...headers, `Content-Length: ${body.length}`] }),
  );
  await scene.world.until(() => got.includes('100 Continue'), 'the 100 response');
  socket.write(body);
  await scene.world.until(() => /HTTP\/1\.1 20\d/.test(got.replace(/HTTP\/1\.1 100 Continue/, '')), 'the answer');
  socket.destroy();
});
