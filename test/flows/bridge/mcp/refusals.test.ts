import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pairAssistant } from '../../../helpers/assistant.ts';
import { startWorld, type World } from '../../../helpers/world.ts';
import { connect, type McpClient } from './clients.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let assistant: Awaited<ReturnType<typeof pairAssistant>>;
let client: McpClient;
beforeAll(async () => {
  world = await startWorld({ person: { plan: 'Lite' } });
  bridge = await world.bridge();
  assistant = await pairAssistant(world, bridge.url);
  client = await connect(bridge.url, assistant.token);
});
afterAll(async () => {
  await client.close();
  await bridge.stop();
  await world.close();
});

type Sent = {
  route: string;
  call: [method: string, path: string];
  params?: Record<string, string>;
  body?: Record<string, unknown>;
  key?: string;
};

/** Sends the same request over HTTP and as a tool call, and returns both refusals. */
const refusedBoth = async ({ route, call: [method, path], params, body, key }: Sent) => {
  const http = await assistant.call(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
  const args = {
    route,
    ...(params && { params }),
    ...(body && { body }),
    ...(key !== undefined && { idempotencyKey: key }),
  };
  const { isError, data } = await client.call('call_service', args);
  return { http: { status: http.status, ...http.body }, mcp: { isError, ...data } };
};
const nextStep: unknown = expect.any(String);

describe('the service’s documented error codes over HTTP and MCP', () => {
  test.each(['', 'with blanks', 'x'.repeat(65)])(
    'the invalid Idempotency-Key %j is reported with its own error code',
    async (key) => {
      const sent = await refusedBoth({ route: 'createListing', call: ['POST', '/listings'], body: {}, key });
      expect(sent).toMatchObject({
        http: { status: 400, code: 'INVALID_IDEMPOTENCY_KEY', field: 'idempotency-key' },
        mcp: { isError: true, code: 'INVALID_IDEMPOTENCY_KEY', nextStep },
      });
    },
  );

  test('an invalid extras approval is reported with its own error code', async () => {
    const { listingId } = await world.reviewed('with extras');
    const sent = await refusedBoth({
      route: 'generateListing',
      call: ['POST', `/listings/${listingId}/generate`],
      params: { listingId },
      body: { extrasApprovalId: 'nonsense' },
    });
    expect(sent).toMatchObject({
      http: { status: 400, code: 'BAD_EXTRAS_APPROVAL' },
      mcp: { isError: true, code: 'BAD_EXTRAS_APPROVAL', nextStep },
    });
  });

  test('an invalid extras setting is reported with its own error code', async () => {
    const body = { enabled: 'yes' };
    const sent = await refusedBoth({ route: 'setExtras', call: ['PATCH', '/subscriptions/overage'], body });
    expect(sent).toMatchObject({
      http: { status: 400, code: 'invalid-overage-request' },
      mcp: { isError: true, code: 'invalid-overage-request', nextStep },
    });
  });

  test('any other invalid field is reported with the general error code', async () => {
    const sent = await refusedBoth({ route: 'createListing', call: ['POST', '/listings'], body: { quantity: 0 } });
    expect(sent).toMatchObject({
      http: { status: 400, code: 'INVALID_REQUEST', field: 'quantity' },
      mcp: { isError: true, code: 'INVALID_REQUEST', field: 'quantity' },
    });
  });
});

describe('refusals of an outdated rate for extras', () => {
  test('a request with an outdated rate for extras is refused with the current rate, without a prompt', async () => {
    const standing = (await client.call('get_standing')).data as { extras: { rateCents: number } };
    const { rateCents } = standing.extras;
    for (const [route, method, path, body] of [
      ['setExtras', 'PATCH', '/subscriptions/overage', { enabled: true, acknowledgedRateCents: rateCents + 1 }],
      ['setExtras', 'PATCH', '/subscriptions/overage', { enabled: true }],
    ] as const) {
      const sent = await refusedBoth({ route, call: [method, path], body });
      expect(sent).toMatchObject({
        http: { status: 409, code: 'RATE_CHANGED', rateCents },
        mcp: {
          isError: true,
          code: 'RATE_CHANGED',
          rateCents,
          nextStep: expect.stringContaining('rateCents') as unknown,
        },
      });
    }
    expect(world.companion().approvals.listPending()).toEqual([]);
  });

  test('if the service refuses an approved rate for extras, the assistant gets the current rate', async () => {
    const standing = (await client.call('get_standing')).data as { extras: { rateCents: number } };
    const body = { enabled: true, acknowledgedRateCents: standing.extras.rateCents };
    const asked = await client.call('call_service', { route: 'setExtras', body });
    const [prompt] = world.companion().approvals.listPending();
    if (!prompt) throw new Error('No prompt is waiting.');
    await world.practice.fault({
      method: 'PATCH',
      path: '/subscriptions/overage',
      status: 409,
      code: 'RATE_CHANGED',
      error: 'The rate has changed.',
      body: { rateCents: 77 },
    });
    await world.approve(prompt);
    const { data } = await client.call('check_request', { requestId: String(asked.data['requestId']) });
    expect(data).toMatchObject({ state: 'failed', code: 'RATE_CHANGED', answer: { untrustedBody: { rateCents: 77 } } });
    const http = await assistant.call('GET', `/companion/approvals/${prompt.approvalId}`);
    expect(http.body).toMatchObject({ approval: { code: 'RATE_CHANGED', answer: { body: { rateCents: 77 } } } });
  });

  test('if a request that needs no approval is refused, the assistant gets the current rate for extras', async () => {
    // The second request uses another path, because the first path is cached.
    for (const path of ['/iap/credits', '/subscriptions/invoices'])
      await world.practice.fault({
        ...{ method: 'GET', path, status: 409, code: 'RATE_CHANGED' },
        ...{ error: 'The rate has changed.', body: { rateCents: 78 } },
      });
    const http = await assistant.call('GET', '/iap/credits');
    const mcp = await client.call('call_service', { route: 'listInvoices' });
    expect(http).toMatchObject({ status: 409, body: { code: 'RATE_CHANGED', rateCents: 78 } });
    expect(mcp).toMatchObject({ isError: true, data: { code: 'RATE_CHANGED', rateCents: 78 } });
  });
});
