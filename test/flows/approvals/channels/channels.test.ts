import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InputOf } from '../../../../src/contract/index.ts';
import { parseChannelStates } from '../../../../src/contract/index.ts';
import { formatEnglishMessage } from '../../../../src/i18n/english.ts';
import { createMessage } from '../../../../src/i18n/message.ts';
import { holdRequest, countRequests, readServiceKey } from '../../../helpers/approvals/decisions.ts';
import { connectCorner } from '../../../helpers/practice/channels.ts';
import { pairAsker } from '../../../helpers/assistant.ts';
import { waitUntil } from '../../../helpers/testClock.ts';
import { startWorld, type World } from '../../../helpers/world.ts';

type ChannelRoute = 'publishChannels' | 'reviseChannels' | 'endChannels' | 'deleteFromChannels';

let world: World;
let listingId: string;
beforeEach(async () => {
  world = await startWorld();
  await connectCorner(world.practice, await readServiceKey(world));
  listingId = await world.practice.live(await readServiceKey(world));
});
afterEach(() => world.close());

const readStates = async () => {
  const outcome = await world.perform('readListingChannels', { params: { listingId } });
  return parseChannelStates(outcome.state === 'done' ? outcome.answer : null);
};
const readStatuses = async () =>
  Object.fromEntries((await readStates()).map(({ channelId, status }) => [channelId, status]));

/** Requests something on the corner shop and returns its approval. */
const requestOnCorner = async (route: ChannelRoute, body: object = {}) => {
  const input: InputOf<ChannelRoute> = { params: { listingId }, body: { channels: ['corner'], ...body } };
  await world.perform(route, input);
  const [shown] = world.companion().approvals.listPending();
  if (!shown) throw new Error('No prompt is pending.');
  return shown;
};
const completeOnCorner = async (route: ChannelRoute, body: object = {}) =>
  world.approve(await requestOnCorner(route, body));

describe('a live listing on another channel', () => {
  test('the prompt to publish on a channel says that the channel’s fee is unknown', async () => {
    const { prompt } = await requestOnCorner('publishChannels', { autoDelistOnSale: true });
    expect(prompt).toMatchObject({
      act: 'Publish on “Corner shop (practice)”',
      yes: 'Publish, fee unknown',
      money: { state: 'unavailable', reason: 'This channel’s fees cannot be checked here.' },
      feeNotice: null,
    });
    // Only the channel's fee is unknown; the marketplace's quote is a fact of its own.
    expect(formatEnglishMessage(prompt.money?.label ?? createMessage('prompts.again'))).toBe(
      'Fees on “Corner shop (practice)”',
    );
    expect(prompt.facts).toContainEqual(
      expect.objectContaining({ label: 'Fee quoted by the marketplace', value: 'US$0.35' }),
    );
    expect(await readStatuses()).toEqual({ market: 'published' });
  });

  test('a listing can be published, revised, ended and deleted on a channel without the marketplace', async () => {
    expect(await completeOnCorner('publishChannels')).toMatchObject({
      state: 'done',
      differences: [],
      outcome: { sentence: 'Published. The listing is live there.', url: null },
    });
    expect(await readStatuses()).toEqual({ market: 'published', corner: 'published' });

    const changed = await requestOnCorner('reviseChannels', { price: 900 });
    expect(changed.prompt.changes).toMatchObject([{ label: 'Price', after: 'US$9.00' }]);
    expect(changed.prompt.facts).toContainEqual(
      expect.objectContaining({ namespace: 'request', label: 'Channels', value: '“Corner shop (practice)”' }),
    );
    expect(changed.prompt).toMatchObject({ act: 'Change the listing on “Corner shop (practice)”' });
    expect(changed.prompt.changes).toContainEqual(
      expect.objectContaining({ key: 'price', before: 'US$12.99', after: 'US$9.00' }),
    );
    expect(await world.approve(changed)).toMatchObject({ state: 'done', differences: [] });
    const [market, corner] = await readStates();
    expect([market?.fields['price'], corner?.fields['price']]).toEqual([1_299, 900]);

    // The channel now has a price of its own.
    for (const body of [{ price: -5 }, { price: 9.5 }, { quantity: 0 }, { title: '' }, {}])
      await expect(requestOnCorner('reviseChannels', body), JSON.stringify(body)).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
      });
    const again = await requestOnCorner('reviseChannels', { price: 950 });
    expect(again.prompt.changes).toContainEqual(expect.objectContaining({ key: 'price', before: 'US$9.00' }));
    await world.approve(again);

    const ended = await requestOnCorner('endChannels');
    expect(ended.prompt).toMatchObject({ act: 'End the listing on “Corner shop (practice)”', final: true });
    expect(await world.approve(ended)).toMatchObject({ state: 'done' });
    expect(await readStatuses()).toEqual({ market: 'published', corner: 'ended' });

    const removed = await requestOnCorner('deleteFromChannels');
    expect(removed.prompt).toMatchObject({ act: 'Remove the listing from “Corner shop (practice)”' });
    expect(await world.approve(removed)).toMatchObject({ state: 'done' });
    expect(await readStatuses()).toEqual({ market: 'published', corner: 'deleted' });
  });

  test('a removal or end on a channel can be undone for five seconds', async () => {
    await completeOnCorner('publishChannels');
    for (const route of ['endChannels', 'deleteFromChannels'] as const) {
      const { approvalId, digest } = await requestOnCorner(route);
      const { approvals } = world.companion();
      expect(await world.pressYes(approvalId, digest)).toMatchObject({
        state: 'approved',
        heldUntil: world.clock.now() + 5_000,
      });
      expect(approvals.takeBack(approvalId).state).toBe('withdrawn');
      expect(await countRequests(world, route)).toBe(0);
      expect(await completeOnCorner(route)).toMatchObject({ state: 'done' });
    }
  });

  test('a chosen channel option is shown in the prompt and published as shown', async () => {
    const asked = await requestOnCorner('publishChannels', { options: { corner: { shelf: 'back' } } });
    expect(asked.prompt.facts).toContainEqual(
      expect.objectContaining({ label: '“shelf” on “Corner shop (practice)”', value: 'back' }),
    );
    expect(asked.prompt.changes).toEqual([]);
    expect(await world.approve(asked)).toMatchObject({ state: 'done', differences: [] });
    const [, corner] = await readStates();
    expect(corner?.fields['options']).toEqual({ shelf: 'back' });
  });

  test('a publish with an option that the channel does not support fails', async () => {
    expect(await completeOnCorner('publishChannels', { options: { corner: { shelf: 'attic' } } })).toMatchObject({
      state: 'failed',
      outcome: { sentence: expect.stringContaining('front, back') as string },
    });
    expect(await readStatuses()).toEqual({ market: 'published' });
  });

  test('a declined channel publish changes nothing', async () => {
    const { approvalId, digest } = await requestOnCorner('publishChannels');
    world.companion().approvals.decline(approvalId, digest, 'no');
    expect(await readStatuses()).toEqual({ market: 'published' });
  });

  test('a channel request that the service would refuse is refused without a prompt', async () => {
    await expect(requestOnCorner('endChannels')).rejects.toThrow(
      'This listing is not live on “Corner shop (practice)”',
    );
    await completeOnCorner('publishChannels');
    await expect(requestOnCorner('publishChannels')).rejects.toThrow(
      'This listing is already live on “Corner shop (practice)”',
    );
  });

  test('a revision is not sent if the listing ends on the channel before the approval', async () => {
    await completeOnCorner('publishChannels');
    const asked = await requestOnCorner('reviseChannels', { price: 900 });
    const key = await readServiceKey(world);
    await world.practice.call(key, 'POST', `/listings/${listingId}/channels/end`, { channels: ['corner'] });
    expect((await world.approve(asked)).state).not.toBe('done');
    expect(await world.happened('revision')).toBe(0);
  });

  test('a revision of all channels gets a new prompt if another channel is added', async () => {
    const plain = await requestOnCorner('reviseChannels', { channels: undefined, price: 950 });
    expect(plain.prompt.act).toBe('Change the live listing');
    // The listing goes live on another channel while the prompt is pending: an approval for one channel does not cover two.
    const key = await readServiceKey(world);
    await world.practice.call(key, 'POST', `/listings/${listingId}/channels/publish`, { channels: ['corner'] });
    await world.approve(plain);
    expect(world.companion().approvals.readView(plain.approvalId).state).toBe('superseded');
    expect(await world.happened('revision')).toBe(0);
    const [fresh] = world.companion().approvals.listPending();
    expect(fresh?.prompt.act).toBe('Change the live listing on the US site and on “Corner shop (practice)”');
    await world.yes();
    expect((await readStates()).map(({ fields }) => fields['price'])).toEqual([950, 950]);
  });

  test('a changed title on the channel invalidates an approval, but a sale does not', async () => {
    await completeOnCorner('publishChannels');
    await completeOnCorner('reviseChannels', { title: 'Corner title', price: 9_999, quantity: 3 });
    const key = await readServiceKey(world);
    const revise = (body: object) =>
      world.practice.call(key, 'POST', `/listings/${listingId}/channels/revise`, { channels: ['corner'], ...body });
    for (const [route, body] of [
      ['reviseChannels', { price: 300 }],
      ['endChannels', {}],
      ['deleteFromChannels', {}],
    ] as const) {
      const asked = await requestOnCorner(route, body);
      const shown = asked.prompt.facts.map(({ label, value }) => `${label}: ${value}`);
      expect(shown).toContain('Title on “Corner shop (practice)”: Corner title');
      expect(shown).toContain('Price on “Corner shop (practice)”: US$99.99');
      await revise({ title: 'SWAPPED' });
      await world.approve(asked);
      const [fresh] = world.companion().approvals.listPending();
      expect(fresh?.sinceShown).toEqual([
        expect.objectContaining({
          label: 'Title on “Corner shop (practice)”',
          before: 'Corner title',
          after: 'SWAPPED',
        }),
      ]);
      world.companion().approvals.decline(fresh?.approvalId ?? '', fresh?.digest ?? '', 'no');
      await revise({ title: 'Corner title' });
    }
    const ended = await requestOnCorner('endChannels');
    await world.practice.call(key, 'POST', `/listings/${listingId}/channels/revise`, {
      channels: ['corner'],
      quantity: 2,
    });
    expect(await world.approve(ended)).toMatchObject({ state: 'done' });
  });

  test('a prompt to revise several channels shows the old values of each channel', async () => {
    await completeOnCorner('publishChannels');
    await completeOnCorner('reviseChannels', { price: 9_999, title: 'Corner title' });
    const { prompt } = await requestOnCorner('reviseChannels', {
      channels: undefined,
      price: 100,
      title: 'Common title',
    });
    expect(prompt.changes.map(({ label, before, after }) => [label, before, after])).toEqual([
      ['Price', 'US$12.99', 'US$1.00'],
      ['Title', 'A book about rivers', 'Common title'],
      ['Price on “Corner shop (practice)”', 'US$99.99', 'US$1.00'],
      ['Title on “Corner shop (practice)”', 'Corner title', 'Common title'],
    ]);
  });

  test.each([
    [[]],
    ['corner'],
    [['corner', 7]],
    [{ 0: 'corner' }],
    [[['corner']]],
    [[{ channelId: 'corner' }]],
    [['']],
  ])('a malformed list of channels is refused without a prompt: %j', async (channels) => {
    const asked = world.companion().perform({
      by: pairAsker(world, 'Tidy Helper'),
      route: 'reviseChannels',
      input: { params: { listingId }, body: { channels, price: 900 } },
    });
    await expect(asked).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'channels' });
    expect(world.companion().approvals.listPending()).toEqual([]);
  });

  test('a listing sold on the marketplace can still be ended on another channel', async () => {
    await completeOnCorner('publishChannels', { autoDelistOnSale: false });
    await world.practice.control('POST', '/sales', { listingId });
    expect(await readStatuses()).toEqual({ market: 'sold', corner: 'published' });
    expect(await completeOnCorner('endChannels')).toMatchObject({ state: 'done' });
    expect(await readStatuses()).toEqual({ market: 'sold', corner: 'ended' });
  });

  test('a relist is refused while the ended listing is still live on another channel', async () => {
    await completeOnCorner('publishChannels');
    await world.perform('endListing', { params: { listingId } });
    await world.yes();
    const calls = await countRequests(world, 'relistListing');
    const relistListing = () => world.perform('relistListing', { params: { listingId }, body: {} });
    await expect(relistListing()).rejects.toMatchObject({
      code: 'WRONG_STATE',
      message: 'This listing is still live on “Corner shop (practice)”. End it there first, then bring it back.',
    });
    expect(await countRequests(world, 'relistListing')).toBe(calls);
    await completeOnCorner('endChannels');
    expect((await relistListing()).state).toBe('done');
  });

  test('the channels are read only once when an assistant repeats a refused relist', async () => {
    await completeOnCorner('publishChannels');
    await world.perform('endListing', { params: { listingId } });
    await world.yes();
    const by = pairAsker(world, 'Tidy Helper');
    const relistListing = () =>
      world.companion().perform({ by, route: 'relistListing', input: { params: { listingId }, body: {} } });
    const countReads = async () => [
      await countRequests(world, 'readListingChannels'),
      await countRequests(world, 'listChannels'),
    ];
    await expect(relistListing()).rejects.toMatchObject({ code: 'WRONG_STATE' });
    const once = await countReads();
    for (let more = 0; more < 5; more += 1)
      await expect(relistListing()).rejects.toMatchObject({ code: 'WRONG_STATE' });
    expect(await countReads()).toEqual(once);
  });

  test('a relist checks the channels only after a channel publish in flight has finished', async () => {
    const shown = await requestOnCorner('publishChannels');
    const publish = await holdRequest(world, 'POST', '/listings/{listingId}/channels/publish');
    const approved = world.approve(shown);
    await publish.arrived();
    const calls = await countRequests(world, 'relistListing');
    const relist = world.perform('relistListing', { params: { listingId }, body: {} }).catch((error: unknown) => error);
    // A relist that did not wait for the publish would have read the channels by now.
    expect(await readStatuses()).toEqual({ market: 'published' });
    await publish.go();
    await approved;
    expect(await relist).toMatchObject({
      code: 'WRONG_STATE',
      message: 'This listing is still live on “Corner shop (practice)”. End it there first, then bring it back.',
    });
    expect(await countRequests(world, 'relistListing')).toBe(calls);
  });

  test('a prompt to publish on the marketplace and a channel names both and the fee', async () => {
    listingId = (await world.reviewed()).listingId;
    const { prompt } = await requestOnCorner('publishChannels', { channels: ['market', 'corner'] });
    expect(prompt).toMatchObject({
      act: 'Publish on the US site and on “Corner shop (practice)”',
      yes: 'Publish for US$0.35',
    });
  });
});

describe('a channel request without a response', () => {
  const paths = {
    publishChannels: 'publish',
    reviseChannels: 'revise',
    endChannels: 'end',
    deleteFromChannels: 'delete',
  };
  const cases: [ChannelRoute, object, Record<string, string>][] = [
    ['publishChannels', {}, { market: 'published', corner: 'published' }],
    ['reviseChannels', { price: 900 }, { market: 'published', corner: 'published' }],
    ['endChannels', {}, { market: 'published', corner: 'ended' }],
    ['deleteFromChannels', {}, { market: 'published', corner: 'deleted' }],
  ];
  const getPath = (route: ChannelRoute) => `/listings/{listingId}/channels/${paths[route]}`;
  /** Approves without waiting for the outcome. */
  const approveWithoutWaiting = ({ approvalId, digest }: { approvalId: string; digest: string }): void =>
    void world.pressYes(approvalId, digest).catch(() => undefined);
  /** Advances the clock until reading shows the outcome. */
  const waitForOutcome = (approvalId: string) =>
    world.until(() => {
      world.clock.advance(10_000);
      const now = world.companion().approvals.readView(approvalId);
      return now.state === 'done' || now.state === 'failed' ? now : null;
    }, 'the verdict');

  test.each(cases)('a %s request that reached the service is done and not sent again', async (route, body, after) => {
    if (route !== 'publishChannels') await completeOnCorner('publishChannels');
    const shown = await requestOnCorner(route, body);
    const effects = (await world.practice.journal()).length;
    await world.practice.fault({ method: 'POST', path: getPath(route), drop: 'after' });
    approveWithoutWaiting(shown);
    expect((await waitForOutcome(shown.approvalId)).state).toBe('done');
    expect(await readStatuses()).toEqual(after);
    expect(
      (await world.practice.journal()).slice(effects).filter(({ kind }) => /publish|revision|end|delete/.test(kind)),
    ).toHaveLength(1);
  });

  test.each(cases)('a %s request that never reached the service is reported as not done', async (route, body) => {
    if (route !== 'publishChannels') await completeOnCorner('publishChannels');
    const shown = await requestOnCorner(route, body);
    await world.practice.fault({ method: 'POST', path: getPath(route), drop: 'before' });
    approveWithoutWaiting(shown);
    expect(await waitForOutcome(shown.approvalId)).toMatchObject({ state: 'failed', outcome: { code: 'NOT_DONE' } });
  });

  test.each([
    ['after the service published the listing', 'done', { market: 'published', corner: 'published' }],
    ['before the request reached the service', 'failed', { market: 'published' }],
  ])('if the companion stopped %s, a channel publish is checked and not sent again', async (when, state, after) => {
    const asked = await requestOnCorner('publishChannels');
    const { approvalId } = asked;
    const publish = await holdRequest(world, 'POST', getPath('publishChannels'), 0, {
      drop: when.startsWith('after') ? 'after' : 'before',
    });
    approveWithoutWaiting(asked);
    await publish.arrived();
    await world.stop();
    await publish.go();
    await world.begin();
    await waitUntil(() => world.companion().approvals.readView(approvalId).state === 'unconfirmed', 'the first check');
    expect((await waitForOutcome(approvalId)).state).toBe(state);
    expect(await readStatuses()).toEqual(after);
  });
});

test('the prompt to disconnect a channel names the channel', async () => {
  const [connectionId = ''] = /con_\w+/.exec(JSON.stringify(await world.perform('listConnections', {}))) ?? [];
  await world.perform('deleteConnection', { params: { channelId: 'corner', connectionId } });
  expect(world.companion().approvals.listPending()[0]?.prompt.consequence).toBe(
    'Nothing can be published on “Corner shop (practice)” until it is connected again.',
  );
});
