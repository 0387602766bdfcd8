import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InputOf, RouteName } from '../../../src/contract/index.ts';
import {
  acts,
  cells,
  fakeServiceAnswers,
  createListingFor,
  replies,
  type Act,
  type Answer,
  type Reading,
} from '../../helpers/approvals/claimedActs.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { requestPrompt, connectAs, readServiceKey } from '../../helpers/approvals/decisions.ts';
import { startGatewayWorld, type Gateway } from '../../helpers/hosts/gatewayWorld.ts';
import { connectCorner } from '../../helpers/practice/channels.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import type { World } from '../../helpers/world.ts';

let world: World;
let gateway: Gateway;
beforeAll(async () => {
  ({ world, gateway } = await startGatewayWorld());
  await connectCorner(world.practice, await readServiceKey(world));
});
/** Connects a new seller, whose allowance is unused. */
const connectSeller = async (email: string): Promise<void> => {
  await connectAs(world, email);
  await connectCorner(world.practice, await readServiceKey(world));
};
afterAll(async () => {
  await world.close();
  gateway.close();
});

/** Waits until the approval is done or failed, or has been unconfirmed for a minute. */
const waitForView = async (approvalId: string): Promise<ApprovalView> => {
  const from = world.clock.now();
  return world.until(() => {
    const view = world.companion().approvals.readView(approvalId);
    const isLasting = view.state === 'unconfirmed' && world.clock.now() - from > 60_000;
    return isLasting || ['done', 'failed'].includes(view.state) ? view : null;
  }, 'the end of the readings');
};

const getAct = (name: string): Act => acts[name] ?? expect.fail(`No act ${name}.`);

const performAct = async (one: Act, answer: Answer, reading: Reading): Promise<ApprovalView> => {
  const listingId = await createListingFor(world, one);
  gateway.replyBy(fakeServiceAnswers(one, await world.listing(listingId), answer, reading));
  return carryOut(one, listingId);
};

/** Requests and approves an act; returns the approval with its outcome. */
const carryOut = async (one: Act, listingId: string): Promise<ApprovalView> => {
  const input = { params: { listingId }, body: one.body ?? {} } as InputOf<RouteName>;
  const asked = await world.perform(one.route, input);
  if (asked.state !== 'pending') throw new Error(`${one.route} did not ask.`);
  const { approvals } = world.companion();
  const yes = world.pressYes(asked.approvalId, approvals.readView(asked.approvalId).digest);
  // The companion can close before the approval resolves.
  yes.catch(() => undefined);
  const view = await waitForView(asked.approvalId);
  gateway.replyBy(() => null);
  return view;
};

describe.each(Object.keys(acts))('the outcome of %s', (name) => {
  for (const answer of ['done', 'refused', 'lost'] as const)
    for (const reading of ['done', 'not done', 'unreadable'] as const)
      test(`a request has the correct outcome for the service’s answer “${answer}” and the listing state “${reading}”`, async () => {
        const view = await performAct(getAct(name), answer, reading);
        const [state, code, sentence] = cells[answer][reading];
        expect(view).toMatchObject({ state, outcome: { code, sentence: sentence ?? acts[name]?.done, url: null } });
      });
});

const unchecked = 'The service says it is done. This could not be checked: the listing does not show it.';
const formatUncheckedFields = (fields: string): string =>
  `The service says it is done. The listing does not show this, so it could not be checked: ${fields}.`;
const formatUncheckedPart = (fields: string): string =>
  `Changed as far as the listing shows. It does not show this, so it could not be checked: ${fields}.`;

/** Waits until the live listing was compared with the approval, and returns its last history row. */
const readLastRow = async (approvalId: string) => {
  const readNewest = async () =>
    (await world.companion().searchHistory.search({ q: '', limit: 1, approvalId })).rows[0];
  await waitUntil(async () => (await readNewest())?.kind !== 'approval.answer', 'the comparison with the live listing');
  return readNewest();
};

const shownByInterface = new Set(
  `listingId status processingError processingErrorCode title description categoryId categoryName marketplaceId condition
   conditionDescription price suggestedPrice quantity itemSpecifics imageUrls publishBlockers`.split(/\s+/),
);
const keepDocumentedFields = (answer: string): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(JSON.parse(answer) as object).filter(
        ([field]) => shownByInterface.has(field) || field === 'error',
      ),
    ),
  );

describe('a service that returns only the fields of the documented interface', () => {
  test.each<[string, object | undefined, string]>([
    ['publish', undefined, 'Published. The listing is live.'],
    ['revise', undefined, 'The live listing was changed.'],
    ['revise', { sku: 'A-1' }, formatUncheckedFields('SKU')],
    ['revise', { bestOffer: { enabled: true } }, formatUncheckedFields('Best Offer')],
    ['revise', { sku: '' }, formatUncheckedFields('SKU')],
    ['revise', { bestOffer: {} }, formatUncheckedFields('Best Offer')],
    ['revise', { price: 899, sku: 'A-1' }, formatUncheckedPart('SKU')],
    ['end', undefined, 'The listing has ended.'],
    ['delete', undefined, 'The listing was deleted.'],
    ['publish on a channel', undefined, unchecked],
    ['end on a channel', undefined, unchecked],
    ['delete from a channel', undefined, unchecked],
  ])('“%s” with body %j is reported as done, and missing fields as unchecked', async (name, body, sentence) => {
    const one = acts[name];
    if (!one) throw new Error(`No act ${name}.`);
    gateway.rewrite.push(
      { call: /^GET \/listings\/[^/?]+$/, to: keepDocumentedFields },
      { call: /^(POST|DELETE) .*(market\/(revise|end)\/|channels\/(publish|revise|end|delete)$)/, to: () => '{}' },
    );
    const listingId = await createListingFor(world, one);
    let sent = false;
    // The channel states must be readable before the request.
    if (one.corner)
      gateway.replyBy((call) => {
        if (one.call.test(call)) sent = true;
        else if (!/^GET .*\/channels$/.test(call) || !call.includes(listingId)) return null;
        return { status: 200, body: sent ? {} : { channels: one.corner?.before } };
      });
    const input = { params: { listingId }, body: body ?? one.body ?? {} } as InputOf<RouteName>;
    const asked = await world.perform(one.route, input);
    const { approvals } = world.companion();
    const shown = approvals.readView(asked.state === 'pending' ? asked.approvalId : '');
    void world.pressYes(shown.approvalId, shown.digest);
    const view = await waitForView(shown.approvalId);
    gateway.rewrite.length = 0;
    gateway.replyBy(() => null);
    const isChecked = sentence === one.done;
    const code = isChecked ? null : 'NOT_CHECKED';
    expect(view).toMatchObject({ state: 'done', differences: [], outcome: { code, sentence } });
    if (one.route === 'reviseListing')
      expect((await readLastRow(view.approvalId))?.kind).toBe(isChecked ? 'approval.checked' : 'approval.unchecked');
  });

  test.each([
    ['Best Offer', { bestOffer: { enabled: true } }],
    ['Best Offer and SKU', { bestOffer: { enabled: true }, sku: 'A-1' }],
  ])('an unchanged title does not confirm a change of %s', async (fields, body) => {
    const one = acts['revise'] ?? expect.fail('No revise.');
    gateway.rewrite.push({ call: /^GET \/listings\/[^/?]+$/, to: keepDocumentedFields });
    const listingId = await createListingFor(world, one);
    const title = (await world.listing(listingId)).title ?? '';
    gateway.replyBy(fakeServiceAnswers(one, await world.listing(listingId), 'done', 'not done'));
    const asked = await world.perform('reviseListing', { params: { listingId }, body: { title, ...body } });
    const { approvals } = world.companion();
    const shown = approvals.readView(asked.state === 'pending' ? asked.approvalId : '');
    void world.pressYes(shown.approvalId, shown.digest);
    const view = await waitForView(shown.approvalId);
    gateway.rewrite.length = 0;
    gateway.replyBy(() => null);
    expect(view).toMatchObject({
      state: 'done',
      outcome: { code: 'NOT_CHECKED', sentence: formatUncheckedFields(fields) },
    });
    expect(await readLastRow(view.approvalId)).toMatchObject({
      kind: 'approval.unchecked',
      facts: { unseen: Object.keys(body) },
    });
  });
});

test('a change that got no response and cannot be checked can be requested again', async () => {
  gateway.rewrite.push({ call: /^GET \/listings\/[^/?]+$/, to: keepDocumentedFields });
  const input = { params: { listingId: await createListingFor(world, getAct('revise')) }, body: { sku: 'A-1' } };
  const shown = await requestPrompt(world, 'reviseListing', input);
  gateway.replyBy((call) => (call.startsWith('POST /market/revise/') ? 'drop' : null));
  const { approvals } = world.companion();
  void world.pressYes(shown.approvalId, shown.digest);
  const told = await world.until(() => {
    const view = approvals.readView(shown.approvalId);
    return view.outcome?.code === 'NOT_CHECKED' ? view : null;
  }, 'the last reading');
  expect(told).toMatchObject({ state: 'unconfirmed', mayUnlock: false });
  expect(told.outcome?.sentence).toContain('there is no way to ask whether it went through');
  const again = await requestPrompt(world, 'reviseListing', input);
  expect(again.approvalId).not.toBe(shown.approvalId);
  gateway.rewrite.length = 0;
  gateway.replyBy(() => null);
});

describe('channel states in an unknown format after a successful response', () => {
  beforeAll(() => connectSeller('second@practice.example'));
  const [end, publish, remove] = ['end on a channel', 'publish on a channel', 'delete from a channel'] as const;
  const toCorner = (status: string, channelId = 'corner') => ({ channelId, status, price: 1_299 });
  const notChecked = { state: 'done', outcome: { code: 'NOT_CHECKED', sentence: unchecked } };
  const contradicted = { state: 'unconfirmed', outcome: { code: 'CONTRADICTED' } };

  test.each<[string, object[], object]>([
    [end, [toCorner('online')], notChecked],
    [end, [toCorner('LISTED')], notChecked],
    [end, [toCorner('live (ending)')], notChecked],
    [end, [toCorner('published ')], contradicted],
    [end, [toCorner('ended'), toCorner('published')], contradicted],
    [end, [toCorner('published'), toCorner('ended')], contradicted],
    [end, [toCorner('ended'), toCorner('online')], notChecked],
    [end, [toCorner('published', 'Corner ')], contradicted],
    [end, [toCorner('ended', 'CORNER')], notChecked],
    [end, [toCorner('failed')], notChecked],
    [publish, [toCorner('online')], notChecked],
    [publish, [toCorner('failed')], contradicted],
    [publish, [toCorner('processing')], contradicted],
    [
      publish,
      [toCorner('ended'), toCorner('published')],
      { state: 'done', outcome: { sentence: getAct(publish).done } },
    ],
    [publish, [toCorner('published', 'Corner')], notChecked],
    [remove, [toCorner('online')], notChecked],
    [remove, [toCorner('deleted', 'Corner')], notChecked],
    [remove, [toCorner('deleted'), toCorner('ended')], contradicted],
  ])('the outcome of “%s” is derived from the channel states %j', async (name, after, told) => {
    const one = getAct(name);
    const view = await performAct({ ...one, corner: { before: one.corner?.before ?? [], after } }, 'done', 'done');
    expect(view).toMatchObject(told);
  });
});

describe('quantity changes that the service reports as done', () => {
  beforeAll(() => connectSeller('third@practice.example'));
  const [notChecked, contradicted, done] = [
    { state: 'done', outcome: { code: 'NOT_CHECKED', sentence: formatUncheckedFields('Quantity') } },
    { state: 'unconfirmed', outcome: { code: 'CONTRADICTED' } },
    { state: 'done', outcome: { sentence: 'The live listing was changed.' } },
  ];
  test.each<[from: number, to: number, shown: object, told: object]>([
    [9, 50, { quantity: 9 }, contradicted],
    [9, 50, { quantity: 9, soldQuantity: 0 }, contradicted],
    [9, 50, { quantity: 8 }, contradicted],
    [9, 50, { quantity: 48 }, notChecked],
    [9, 50, { quantity: 48, soldQuantity: 2 }, done],
    [9, 5, { quantity: 9 }, contradicted],
    [9, 5, { quantity: 4 }, notChecked],
    [9, 50, { quantity: 50 }, done],
  ])(
    'the outcome of a quantity change from %i to %i is derived from the listing %j',
    async (from, quantity, shown, told) => {
      const before = { quantity: from };
      const after = { soldQuantity: undefined, ...shown };
      const view = await performAct({ ...getAct('revise'), before, body: { quantity }, after }, 'done', 'done');
      expect(view).toMatchObject(told);
    },
  );

  test('a quantity change on a channel is unconfirmed if the channel still shows the old quantity', async () => {
    const toCornerStates = (quantity: number) => [{ channelId: 'corner', status: 'published', price: 1_299, quantity }];
    const body = { channels: ['corner'], quantity: 50 };
    const one: Act = {
      ...getAct('revise on a channel'),
      body,
      corner: { before: toCornerStates(9), after: toCornerStates(9) },
    };
    expect(await performAct(one, 'done', 'done')).toMatchObject(contradicted);
  });
});

describe('a deletion followed by a single 404 response', () => {
  const cases: [answer: Answer, told: object][] = [
    ['done', { state: 'unconfirmed', outcome: { code: 'CONTRADICTED' } }],
    ['refused', { state: 'failed', outcome: { code: 'MARKET_REFUSED', sentence: 'The marketplace says no.' } }],
  ];
  test.each(cases)('one 404 response after the answer “%s” proves no deletion', async (answer, told) => {
    const one = getAct('delete');
    const listingId = await createListingFor(world, one);
    let reads = -1;
    gateway.replyBy((call) => {
      if (!call.includes(listingId)) return null;
      if (one.call.test(call)) {
        reads = 0;
        return replies[answer];
      }
      if (reads < 0 || !call.startsWith('GET ')) return null;
      reads += 1;
      return reads === 1 ? { status: 404, body: { error: 'Not found.' } } : null;
    });
    expect(await carryOut(one, listingId)).toMatchObject(told);
  });
});

test('an end is reported as a sale if the listing was sold', async () => {
  const view = await performAct({ ...getAct('end'), after: { status: 'sold' } }, 'done', 'done');
  expect(view.outcome?.sentence).toBe('The listing is off the marketplace: it was sold.');
});

test('a publish is reported as sold if the first read shows a sold listing', async () => {
  const view = await performAct({ ...getAct('publish'), after: { status: 'sold' } }, 'done', 'done');
  expect(view).toMatchObject({ state: 'done', outcome: { code: null, sentence: 'Published, and sold by now.' } });
});
