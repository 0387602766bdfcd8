import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { callBridge, pairAssistant } from '../../helpers/assistant.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;

beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
});
afterEach(async () => {
  await bridge.stop();
  await world.close();
});

const parseApproval = (body: unknown) =>
  z.object({ approval: z.looseObject({ id: z.string(), state: z.string() }) }).parse(body).approval;

describe('a paired assistant', () => {
  test('a paired assistant gets the service’s own responses through the bridge', async () => {
    const assistant = await pairAssistant(world, bridge.url);
    const { listingId } = await world.reviewed();
    const read = await assistant.call('GET', `/listings/${listingId}`);
    expect(read).toMatchObject({ status: 200, body: { listingId, status: 'pending_review' } });
    expect(await assistant.call('GET', '/listings/none')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    const made = await assistant.call('POST', '/listings', { body: {}, headers: { 'idempotency-key': 'k-1' } });
    const again = await assistant.call('POST', '/listings', { body: {}, headers: { 'idempotency-key': 'k-1' } });
    expect([made.status, again.status, again.headers['idempotent-replayed']]).toEqual([201, 200, 'true']);
  });

  test('an assistant’s publish is sent once, and only after the person’s approval', async () => {
    const assistant = await pairAssistant(world, bridge.url);
    const { listingId } = await world.reviewed();
    // Unknown fields are refused, because no prompt could show them.
    const claiming = await assistant.call('POST', `/market/publish/${listingId}`, {
      body: { confirmed: true, approvedByPerson: true },
    });
    expect([claiming.status, claiming.body['field']]).toEqual([400, 'confirmed']);
    const asked = await assistant.call('POST', `/market/publish/${listingId}`, {
      body: { fix: true, autoDelistOnSale: true },
    });
    expect(asked.status).toBe(202);
    const { id, state } = parseApproval(asked.body);
    expect([state, asked.headers['location']]).toEqual(['pending', `/companion/approvals/${id}`]);
    expect(await world.happened('publish')).toBe(0);

    const again = await assistant.call('POST', `/market/publish/${listingId}`, {
      body: { fix: true, autoDelistOnSale: true },
    });
    expect(parseApproval(again.body).id).toBe(id);
    expect(world.companion().approvals.listPending()).toHaveLength(1);
    expect(world.notices.map(({ title }) => title)).toEqual(['Tidy Helper asks: Publish on the US site']);

    await world.yes();
    const done = await assistant.call('GET', `/companion/approvals/${id}`);
    expect(done.body).toMatchObject({ approval: { state: 'done', answer: { status: 200, body: { success: true } } } });
    expect(await world.happened('publish')).toBe(1);
  });

  test('a publish with the header “Prefer: wait” gets the service’s response', async () => {
    const assistant = await pairAssistant(world, bridge.url);
    const { listingId } = await world.reviewed();
    const waiting = assistant.call('POST', `/market/publish/${listingId}`, {
      body: {},
      headers: { prefer: 'wait=40' },
    });
    await world.until(() => world.companion().approvals.listPending().length === 1, 'the prompt');
    await world.yes();
    let answered = false;
    void waiting.then(() => (answered = true));
    await world.until(() => answered, 'the answer');
    expect(await waiting).toMatchObject({ status: 200, body: { success: true } });
  });

  test('a publish that is repeated after a decline is refused without another prompt', async () => {
    const assistant = await pairAssistant(world, bridge.url);
    const { listingId } = await world.reviewed();
    const { id } = parseApproval((await assistant.call('POST', `/market/publish/${listingId}`)).body);
    world.companion().approvals.decline(id, world.companion().approvals.readView(id).digest, 'no');
    expect(await assistant.call('POST', `/market/publish/${listingId}`)).toMatchObject({
      status: 403,
      body: { code: 'PERSON_DECLINED' },
    });
    expect(world.companion().approvals.listPending()).toEqual([]);
    expect(await world.happened('publish')).toBe(0);
  });

  test('the answer “I did not ask for this” pauses the assistant', async () => {
    const assistant = await pairAssistant(world, bridge.url);
    const { listingId } = await world.reviewed();
    const { id } = parseApproval((await assistant.call('POST', `/market/publish/${listingId}`)).body);
    world.companion().approvals.decline(id, world.companion().approvals.readView(id).digest, 'not_asked_for');
    expect(await assistant.call('GET', '/agent/me')).toMatchObject({ status: 403, body: { code: 'ASSISTANT_PAUSED' } });
  });

  test('an assistant can read and withdraw only its own approvals', async () => {
    const [one, other] = [
      await pairAssistant(world, bridge.url, 'One'),
      await pairAssistant(world, bridge.url, 'Other'),
    ];
    const { listingId } = await world.reviewed();
    const { id } = parseApproval((await one.call('POST', `/market/publish/${listingId}`)).body);
    expect((await other.call('GET', `/companion/approvals/${id}`)).status).toBe(404);
    expect((await other.call('DELETE', `/companion/approvals/${id}`)).status).toBe(404);
    expect(parseApproval((await one.call('DELETE', `/companion/approvals/${id}`)).body).state).toBe('withdrawn');
    expect(world.companion().approvals.listPending()).toEqual([]);
  });

  test('an assistant with five pending approvals gets status 429 for another approval', async () => {
    const assistant = await pairAssistant(world, bridge.url);
    const made = [];
    for (let index = 0; index < 6; index += 1) {
      const listingId = z
        .object({ listingId: z.string() })
        .parse((await assistant.call('POST', '/listings', { body: {} })).body).listingId;
      made.push(await assistant.call('DELETE', `/listings/${listingId}`));
    }
    expect(made.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429]);
    expect(made[5]?.body['code']).toBe('TOO_MANY_WAITING');
  });

  test('a publish of an unfinished listing is refused without a prompt', async () => {
    const assistant = await pairAssistant(world, bridge.url);
    const { body } = await assistant.call('POST', '/listings', { body: {} });
    const { listingId } = z.object({ listingId: z.string() }).parse(body);
    expect(await assistant.call('POST', `/market/publish/${listingId}`)).toMatchObject({
      status: 409,
      body: { code: 'WRONG_STATE', field: 'status' },
    });
    expect(world.companion().approvals.listPending()).toEqual([]);
  });
});

describe('refused callers', () => {
  const denied: [string, string, string, Parameters<typeof callBridge>[3], number, string][] = [
    ['another host name', 'GET', '/agent/me', { headers: { host: 'evil.example' } }, 421, 'WRONG_HOST'],
    ['a host name with a trailing dot', 'GET', '/agent/me', { headers: { host: 'localhost.:1' } }, 421, 'WRONG_HOST'],
    ['an Origin header', 'GET', '/companion', { headers: { origin: 'http://127.0.0.1' } }, 403, 'ORIGIN_REFUSED'],
    ['the null origin', 'GET', '/companion', { headers: { origin: 'null' } }, 403, 'ORIGIN_REFUSED'],
    ['no token', 'GET', '/agent/me', {}, 401, 'UNAUTHORIZED'],
    ['a wrong token', 'GET', '/agent/me', { headers: { authorization: 'Bearer lct_wrong' } }, 401, 'UNAUTHORIZED'],
    [
      'a plain text body',
      'POST',
      '/listings',
      { raw: '{}', headers: { 'content-type': 'text/plain' } },
      415,
      'JSON_ONLY',
    ],
    ['invalid JSON', 'POST', '/companion/pairings', { raw: '{"name":' }, 400, 'INVALID_REQUEST'],
    [
      'a body of 2 MiB',
      'POST',
      '/companion/pairings',
      { raw: `{"name":"${'x'.repeat(2 ** 21)}"}` },
      413,
      'BODY_TOO_LARGE',
    ],
    [
      'an attempt to sign in',
      'POST',
      '/agent/auth/start',
      { body: { email: 'a@b.example' } },
      403,
      'CONNECTION_IS_THE_PERSONS',
    ],
    ['a route that is not for assistants', 'POST', '/subscriptions/upgrade', {}, 403, 'NOT_FOR_ASSISTANTS'],
    ['an unknown path', 'GET', '/secrets', {}, 404, 'UNKNOWN_ROUTE'],
    ['a path with an encoded slash', 'GET', '/listings/..%2Fagent', {}, 404, 'UNKNOWN_ROUTE'],
    ['a method that the path does not have', 'PATCH', '/listings', {}, 405, 'METHOD_NOT_ALLOWED'],
  ];
  test.each(denied)('a request is refused: %s', async (_what, method, path, call, status, code) => {
    const answer = await callBridge(bridge.url, method, path, call);
    expect([answer.status, answer.body['code']]).toEqual([status, code]);
    expect(String(answer.body['error'])).toMatch(/^[A-Z].*\.$/);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a caller needs the pairing secret to learn that the pairing was refused', async () => {
    const asked = z
      .object({ pairingId: z.string(), pairingSecret: z.string() })
      .parse((await callBridge(bridge.url, 'POST', '/companion/pairings', { body: { name: 'Stranger' } })).body);
    const pollPairing = (secret: string) =>
      callBridge(bridge.url, 'GET', `/companion/pairings/${asked.pairingId}`, {
        headers: { authorization: `Pairing ${secret}` },
      });
    expect((await pollPairing('guess')).status).toBe(404);
    expect((await pollPairing(asked.pairingSecret)).body).toEqual({ state: 'waiting' });
    world.companion().assistants.refuse(asked.pairingId);
    expect((await pollPairing(asked.pairingSecret)).body).toEqual({ state: 'refused' });
  });

  test('a token is handed out once and becomes invalid when its assistant is revoked', async () => {
    const { pairing, token, call } = await pairAssistant(world, bridge.url);
    const second = await callBridge(bridge.url, 'GET', `/companion/pairings/${pairing.pairingId}`, {
      headers: { authorization: `Pairing ${pairing.pairingSecret}` },
    });
    expect(second.body).toEqual({ state: 'accepted' });
    expect((await call('GET', '/agent/me')).status).toBe(200);
    const [assistant] = world.companion().assistants.list().assistants;
    world.companion().assistants.revoke(assistant?.assistantId ?? '');
    expect((await call('GET', '/agent/me')).status).toBe(401);
    expect(JSON.stringify(world.logs)).not.toContain(token);
  });
});

test('the discovery file contains no token and is removed when the bridge stops', async () => {
  const file = join(world.dataDir, 'bridge.json');
  const found = z
    .object({
      url: z.string(),
      mcpUrl: z.string(),
      pid: z.int(),
      version: z.string(),
      startedAt: z.string(),
      startTicks: z.string().nullable(),
    })
    .strict()
    .parse(JSON.parse(await readFile(file, 'utf8')));
  expect(found.url).toBe(bridge.url);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await bridge.stop();
  await expect(stat(file)).rejects.toThrow();
  bridge = await world.bridge();
});
