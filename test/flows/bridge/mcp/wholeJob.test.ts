import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { createScriptedModel, formatTranscript, sumBytes } from '../../../helpers/bridge/scriptedModel.ts';
import { listAllItems } from '../../../helpers/listAllItems.ts';
import { pairWithId } from '../../../helpers/bridge/scene.ts';
import { waitUntil } from '../../../helpers/testClock.ts';
import { startWorld, type World } from '../../../helpers/world.ts';
import { connect, type McpClient } from './clients.ts';

let world: World;
let client: McpClient;
let assistantId: string;
let folders: string[];
const close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close.splice(0).reverse()) await one();
});

const things = 40;
/** How many listings the plan still includes: two fewer than there are things. */
const left = 38;

const start = async (): Promise<void> => {
  world = await startWorld({ person: { plan: 'Starter', used: 100 - left } });
  close.push(world.close);
  const bridge = await world.bridge();
  close.push(bridge.stop);
  const helper = await pairWithId(world, bridge.url, 'Whole Job');
  ({ assistantId } = helper);
  client = await connect(bridge.url, helper.token);
  close.push(client.close);
  declinedOnce = null;
  folders = [];
  for (let at = 0; at < things; at += 1) folders.push(await world.folder(`thing ${at}`, 1));
  world.companion().assistants.change(assistantId, { folders });
};

/** Which listing of the batch the person declines once, because its price is wrong. */
const declinedAt = 7;
let declinedOnce: string | null;

/** The person answers what waits: declines one publish for its details, and says yes to everything else. */
const answerPrompts = async (): Promise<void> => {
  const { approvals, batches } = world.companion();
  for (const { batchId } of batches.listOpen()) {
    const pending = batches
      .readBatch(batchId)
      .rows.flatMap(({ listingId, approval }) =>
        approval?.state === 'pending' ? [{ listingId, approvalId: approval.approvalId, digest: approval.digest }] : [],
      );
    const wrong = pending.find(({ listingId }) => listingId === declinedOnce);
    if (wrong !== undefined) approvals.decline(wrong.approvalId, wrong.digest, 'wrong_details');
    const chosen = pending.filter((one) => one !== wrong);
    if (chosen.length > 0) await world.pressYesToRows(batchId, chosen);
  }
  const inBatches = new Set(batches.listOpen().flatMap(({ rows }) => rows.map(({ approval }) => approval?.approvalId)));
  for (const { approvalId, digest } of approvals.listPending())
    if (!inBatches.has(approvalId)) await world.pressYes(approvalId, digest);
};

/** Calls a tool. Until its answer, time passes and the person answers. Each call has a time limit of its own. */
const callWhilePersonAnswers: Parameters<typeof createScriptedModel>[0]['call'] = async (name, args) => {
  let isOver = false;
  const answer = client.call(name, args).finally(() => (isOver = true));
  answer.catch(() => undefined);
  await waitUntil(async () => {
    world.clock.advance(100);
    await answerPrompts();
    return isOver;
  }, `the answer of ${name}`);
  return answer;
};

const itemsShape = z.looseObject({
  items: z.array(
    z.looseObject({
      itemId: z.string(),
      step: z.string(),
      listingId: z.string().nullable(),
      stoppedBecause: z.looseObject({ code: z.string() }).nullable(),
    }),
  ),
});
const pageShape = z.looseObject({
  listings: z.array(z.looseObject({ listingId: z.string(), priceCents: z.int() })),
});
const batchShape = z.looseObject({ rows: z.array(z.looseObject({ listingId: z.string(), state: z.string() })) });
const requestShape = z.looseObject({ state: z.string(), requestId: z.string() });
const standingShape = z.looseObject({ extras: z.looseObject({ rateCents: z.int() }) });

type Model = ReturnType<typeof createScriptedModel>;

/** Calls check_request until nothing waits for the person. */
const awaitRequest = async (model: Model, asked: Record<string, unknown>): Promise<Record<string, unknown>> => {
  const { requestId } = requestShape.parse(asked);
  for (let answer = asked; ;) {
    const { state } = requestShape.parse(answer);
    if (!['waiting_for_person', 'under_way', 'pending', 'held', 'approved', 'sending'].includes(state)) return answer;
    answer = await model.make('check_request', { requestId, waitS: 45 });
  }
};

/** Creates the items of folders and waits until each is in review or has stopped. */
const createItems = async (model: Model, wanted: string[]) => {
  let { items } = itemsShape.parse(await model.make('create_listing_from_photos', { folders: wanted }));
  for (;;) {
    const open = items.filter(({ step, stoppedBecause }) => step !== 'review' && stoppedBecause === null);
    if (open.length === 0) return items;
    const itemIds = items.map(({ itemId }) => itemId);
    ({ items } = itemsShape.parse(await model.make('check_request', { itemIds, waitS: 45 })));
  }
};

const buyExtras = async (model: Model, count: number): Promise<void> => {
  const { extras } = standingShape.parse(await model.make('get_standing'));
  const { rateCents } = extras;
  const body = { enabled: true, acknowledgedRateCents: rateCents };
  await awaitRequest(model, await model.make('call_service', { route: 'setExtras', body }));
  model.hearWish();
  const extra = { route: 'approveExtras', body: { count, rateCents } };
  await awaitRequest(model, await model.make('call_service', extra));
};

/** Publishes every listing in review in one prompt, and corrects the one that the person declines. */
const publishAll = async (model: Model): Promise<string[]> => {
  const page = pageShape.parse(await model.make('list_listings', { status: 'pending_review', limit: 100 }));
  const listingIds = page.listings.map(({ listingId }) => listingId);
  declinedOnce = listingIds[declinedAt] ?? null;
  const { rows } = batchShape.parse(await awaitRequest(model, await model.make('publish_listing', { listingIds })));
  const declined = rows.filter(({ state }) => state === 'declined');
  expect(declined).toMatchObject([{ listingId: declinedOnce }]);
  // The model asks the person what is wrong: the price.
  await model.make('edit_listing', { listingId: declinedOnce, priceCents: 7_700 });
  declinedOnce = null;
  model.hearWish();
  const again = await model.make('publish_listing', { listingId: declined[0]?.listingId });
  expect(await awaitRequest(model, again)).toMatchObject({ state: 'done' });
  return listingIds;
};

const changePrices = async (model: Model): Promise<void> => {
  model.hearWish();
  const page = pageShape.parse(await model.make('list_listings', { status: 'published', limit: 30 }));
  const rows = page.listings.map(({ listingId, priceCents }) => ({ listingId, priceCents: priceCents - 50 }));
  model.hearWish();
  const over = await awaitRequest(model, await model.make('change_live_listing', { rows }));
  expect(over).toMatchObject({ state: 'over', counts: { done: 30 } });
};

/** Ends six listings, of which a buyer has just bought one. The refusal leads to the sale. */
const endSome = async (model: Model, listingIds: readonly string[]): Promise<void> => {
  const [sold] = listingIds;
  await world.practice.control('POST', '/sales', { listingId: sold });
  model.hearWish();
  const over = await awaitRequest(model, await model.make('end_listing', { listingIds }));
  expect(over).toMatchObject({ state: 'over', counts: { done: listingIds.length - 1, refused: 1 } });
  const [refused] = batchShape.parse(over).rows.filter(({ state }) => state === 'refused');
  expect(await model.make('get_listing', { listingId: refused?.listingId })).toMatchObject({ status: 'sold' });
  model.hearWish();
  const items = [{ listingId: sold, sold: 1 }];
  expect(await model.make('read_sales', { byItem: true })).toMatchObject({ items });
};

/** Returns how often the person was asked, by route, and the listings that they were asked about twice. */
const countQuestions = () => {
  const rows = world.companion().approvals.listOfAsker(assistantId);
  const byRoute = Map.groupBy(rows, ({ route }) => route);
  const bySubject = Map.groupBy(rows, ({ route, listing_id: listingId }) => `${route} ${listingId}`);
  return {
    byRoute: Object.fromEntries([...byRoute].map(([route, { length }]) => [route, length])),
    twice: [...bySubject]
      .filter(([subject, { length }]) => length > 1 && !subject.endsWith('null'))
      .map(([subject]) => subject),
  };
};

test('forty items are listed, priced and ended in few calls, each of which an answer leads to', async () => {
  await start();
  const model = createScriptedModel({ tools: await client.tools(), call: callWhilePersonAnswers });
  await model.make('get_standing');
  await createItems(model, folders.slice(0, 20));
  model.hearWish();
  const stopped = (await createItems(model, folders.slice(20))).filter(({ step }) => step !== 'review');
  expect(stopped).toHaveLength(things - left);
  await buyExtras(model, stopped.length);
  model.hearWish();
  expect((await createItems(model, folders.slice(20))).every(({ step }) => step === 'review')).toBe(true);
  const listingIds = await publishAll(model);
  await changePrices(model);
  await endSome(model, listingIds.slice(0, 6));
  expect(listAllItems(world.companion())).toHaveLength(things);
  expect(countQuestions()).toEqual({
    byRoute: { setExtras: 1, approveExtras: 1, publishListing: things + 1, reviseListing: 30, endListing: 5 },
    twice: [`publishListing ${listingIds[declinedAt]}`],
  });
  expect(await world.happened('publish')).toBe(things);
  const transcript = formatTranscript(model.rows);
  expect(model.rows.length, transcript).toBeLessThanOrEqual(40);
  expect(sumBytes(model.rows), transcript).toBeLessThanOrEqual(200_000);
}, 1_200_000);
