import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairAssistant } from '../../helpers/assistant.ts';
import { readServiceKey, createWrittenListing } from '../../helpers/approvals/decisions.ts';
import { startGatewayWorld, type Gateway } from '../../helpers/hosts/gatewayWorld.ts';
import type { World } from '../../helpers/world.ts';
import { runCommand } from '../cli/command.ts';
import { connect, type McpClient } from './mcp/clients.ts';

let world: World;
let gateway: Gateway;
let bridge: Awaited<ReturnType<World['bridge']>>;
let assistant: Awaited<ReturnType<typeof pairAssistant>>;
let client: McpClient;
beforeAll(async () => {
  ({ world, gateway } = await startGatewayWorld());
  bridge = await world.bridge();
  assistant = await pairAssistant(world, bridge.url, 'Honest');
  client = await connect(bridge.url, assistant.token);
});
afterEach(() => {
  gateway.rewrite.length = 0;
  gateway.replyBy(() => null);
});
afterAll(async () => {
  await client.close();
  await bridge.stop();
  await world.close();
  gateway.close();
});

/** The person's view of the most recent approval. */
let read: ApprovalView | undefined;
/** Approves the prompt of a running call and returns the result of the call. */
const approveCall = async <T>(running: Promise<T>): Promise<T> => {
  await world.until(() => world.companion().approvals.listPending().length === 1, 'the prompt');
  let ended: T | null = null;
  void Promise.all([running, world.yes()]).then(([one, view]) => {
    read = view;
    ended = one;
  });
  return world.until(() => ended, 'the answer');
};
const liveListing = async (): Promise<string> => world.practice.live(await readServiceKey(world));
const rewriteListing = (change: (listing: Record<string, unknown>) => void, call = /^GET \/listings\/[^/?]+$/): void =>
  void gateway.rewrite.push({
    call,
    to: (answer) => {
      const listing = JSON.parse(answer) as Record<string, unknown>;
      change(listing);
      return JSON.stringify(listing);
    },
  });
const waitForYes = { prefer: 'wait=25' };

describe('a change that the listing does not show', () => {
  const sentence = 'The service says it is done. The listing does not show this, so it could not be checked: SKU.';
  const hideSku = () => rewriteListing((listing) => void delete listing['sku']);

  test('if the listing does not show a change, the requesting tool and check_request report NOT_CHECKED', async () => {
    hideSku();
    const listingId = await liveListing();
    const { data, text } = await approveCall(client.call('change_live_listing', { listingId, sku: 'A-1', waitS: 25 }));
    const expected = { state: 'done', code: 'NOT_CHECKED', untrustedOutcome: sentence };
    expect(data).toMatchObject({
      ...expected,
      nextStep: expect.stringContaining('Do not say that it is done') as unknown,
    });
    expect(text).toBe('The service says it is done, and this could not be checked.');

    const asked = await client.call('change_live_listing', { listingId, sku: 'A-2' });
    const checked = await approveCall(client.call('check_request', { requestId: asked.data['requestId'], waitS: 25 }));
    expect(checked.data).toMatchObject({ ...expected, nextStep: data['nextStep'] });
    expect(checked.text).toBe(text);
  });

  test('if the listing does not show a change, call_service and a bridge header report NOT_CHECKED', async () => {
    hideSku();
    const listingId = await liveListing();
    const input = { route: 'reviseListing', params: { listingId }, body: { sku: 'A-1' } };
    const { data } = await approveCall(client.call('call_service', { ...input, waitS: 25 }));
    expect(data).toMatchObject({ code: 'NOT_CHECKED', untrustedOutcome: sentence });

    const path = `/market/revise/${listingId}`;
    const answer = await approveCall(assistant.call('POST', path, { body: { sku: 'A-2' }, headers: waitForYes }));
    expect([answer.status, answer.headers['companion-outcome']]).toEqual([200, 'NOT_CHECKED']);
    const shown = await approveCall(assistant.call('POST', path, { body: { price: 899 }, headers: waitForYes }));
    expect([shown.status, shown.headers['companion-outcome']]).toEqual([200, undefined]);
  });
});

describe('the link of a published listing', () => {
  const evil = 'https://evil.example/pay';
  const claimEvilLink = () =>
    rewriteListing((answer) => void (answer['marketListingUrl'] = evil), /^POST \/market\/publish\//);
  const rewriteLinks = () => {
    rewriteListing((listing) => void (listing['marketListingUrl'] = evil));
    rewriteListing(({ listings }) => {
      for (const one of Array.isArray(listings) ? (listings as Record<string, unknown>[]) : [])
        one['marketListingUrl'] = evil;
    }, /^GET \/listings(\?|$)/);
  };
  const publishAndApprove = (listingId: string) =>
    approveCall(client.call('publish_listing', { listingId, waitS: 25 }));
  const page: unknown = expect.stringContaining('/market-pages/');

  test('the link of a published listing is read from the listing, not from the publish response', async () => {
    claimEvilLink();
    const { data } = await publishAndApprove(await createWrittenListing(world));
    expect(data).toMatchObject({ state: 'done', liveUrl: page, liveUrlNotChecked: null });
    expect(read?.outcome?.url).toBe(data['liveUrl']);
  });

  test('no tool returns a link with an unknown host', async () => {
    claimEvilLink();
    rewriteLinks();
    const listingId = await createWrittenListing(world);
    const keptBack = { liveUrl: null, liveUrlNotChecked: 'evil.example' };
    const { data } = await publishAndApprove(listingId);
    expect(data).toMatchObject({ state: 'done', ...keptBack });
    expect(data['nextStep']).not.toContain('the link');
    expect((await client.call('get_listing', { listingId, photo: 0 })).data).toMatchObject(keptBack);
    const listed = (await client.call('list_listings', { status: 'published' })).data['listings'];
    expect(listed).toEqual(expect.arrayContaining([expect.objectContaining({ listingId, ...keptBack })]));
    const called = await client.call('call_service', { route: 'readListing', params: { listingId } });
    expect(called.data).toMatchObject({ unknownHosts: ['evil.example'] });
  });

  test('a bridge header names the unknown host of a link', async () => {
    claimEvilLink();
    rewriteLinks();
    const listingId = await createWrittenListing(world);
    const answer = await approveCall(
      assistant.call('POST', `/market/publish/${listingId}`, { body: {}, headers: waitForYes }),
    );
    expect(answer.body['marketListingUrl']).toBe(evil);
    expect(answer.headers['companion-unknown-host']).toBe('evil.example');
    for (const path of [`/listings/${listingId}`, '/listings'])
      expect((await assistant.call('GET', path)).headers['companion-unknown-host'], path).toBe('evil.example');
    const { approvals } = (await assistant.call('GET', '/companion/approvals')).body as { approvals: object[] };
    expect(approvals).toEqual(
      expect.arrayContaining([expect.objectContaining({ liveUrl: null, liveUrlNotChecked: 'evil.example' })]),
    );
  });

  test('the command line prints only the host of a link with an unknown host', async () => {
    claimEvilLink();
    rewriteLinks();
    const runPublish = (listingId: string) =>
      runCommand(world.dataDir, ['publish', listingId], { token: assistant.token });
    const strange = await approveCall(runPublish(await createWrittenListing(world)));
    expect(strange).toMatchObject({ code: 0, stdout: expect.stringContaining('evil.example') as unknown });
    expect(strange.stdout).not.toContain('/pay');
    gateway.rewrite.length = 0;
    expect((await approveCall(runPublish(await createWrittenListing(world)))).stdout).toMatch(
      /^Published. The listing is live. http\S+\/market-pages\//,
    );
  });
});

describe('a publish that the service falsely reports as done', () => {
  const claimPublish = () =>
    gateway.replyBy((call) =>
      call.startsWith('POST /market/publish/') ? { status: 200, body: { success: true } } : null,
    );

  const claimUnreadablePublish = (listingId: string): void => {
    let isSent = false;
    gateway.replyBy((call) => {
      if (call.startsWith('POST /market/publish/')) {
        isSent = true;
        return { status: 200, body: { success: true } };
      }
      return isSent && call === `GET /listings/${listingId}` ? { status: 503, body: { error: 'Closed.' } } : null;
    });
  };

  test('if the listing contradicts a publish, the tool and the bridge return an error', async () => {
    claimPublish();
    const result = await approveCall(
      client.call('publish_listing', { listingId: await createWrittenListing(world), waitS: 45 }),
    );
    expect(result).toMatchObject({ isError: true, data: { code: 'CONTRADICTED' } });
    expect(result.data['nextStep']).toContain('Call get_listing');
    const path = `/market/publish/${await createWrittenListing(world)}`;
    const headers = { prefer: 'wait=60' };
    const answer = await approveCall(assistant.call('POST', path, { body: {}, headers }));
    expect([answer.status, answer.body['code']]).toEqual([502, 'CONTRADICTED']);
  });

  test('an approved publish with an unknown outcome is reported as in progress', async () => {
    const listingId = await createWrittenListing(world);
    claimUnreadablePublish(listingId);
    const { data, text } = await approveCall(client.call('publish_listing', { listingId, waitS: 45 }));
    expect(data).toMatchObject({
      state: 'under_way',
      nextStep: expect.stringContaining('The person said yes') as unknown,
    });
    expect(text).toBe('The person said yes; how it ends is not known yet.');
  });

  test('a publish whose listing cannot be read for ten minutes is reported as not checked', async () => {
    const listingId = await createWrittenListing(world);
    const path = `/market/publish/${listingId}`;
    await assistant.call('POST', path, { body: {} });
    claimUnreadablePublish(listingId);
    void world.yes();
    const requestPublish = () => assistant.call('POST', path, { body: {}, headers: { prefer: 'wait=120' } });
    let answer: Awaited<ReturnType<typeof requestPublish>> | null = null;
    const waitForOutcome = async (): Promise<void> => {
      const one = await requestPublish();
      if (one.status === 202) return waitForOutcome();
      answer = one;
    };
    void waitForOutcome();
    expect(await world.until(() => answer, 'the answer')).toMatchObject({
      status: 502,
      body: { code: 'NOT_CHECKED', error: expect.stringContaining('could not be read for ten minutes') as unknown },
    });
  });
});
