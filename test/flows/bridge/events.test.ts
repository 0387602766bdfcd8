import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitUntil } from '../../helpers/testClock.ts';
import { listenToEvents, type BridgeEvent } from '../../helpers/bridge/listenToEvents.ts';
import { startScene, type Paired, type Scene } from '../../helpers/bridge/scene.ts';

let scene: Scene;
const open: Awaited<ReturnType<typeof listenToEvents>>[] = [];
beforeEach(async () => (scene = await startScene()));
afterEach(async () => {
  for (const one of open.splice(0)) one.close();
  await scene.close();
});

const openStream = async ({ token }: Paired, lastId?: string) => {
  const stream = await listenToEvents(scene.url, token, lastId);
  open.push(stream);
  return stream;
};
const describeEvents = (events: BridgeEvent[]) =>
  events.map(({ event, about, stands }) => `${event} ${about} ${stands}`);
const getEventNumbers = (events: BridgeEvent[]) => events.map(({ id }) => Number(id.split('-')[1]));
const withdrawApproval = (assistant: Paired, id: string) => assistant.call('DELETE', `/companion/approvals/${id}`);

test('an assistant receives only the events of its own approvals and items', async () => {
  const { world, one, other } = scene;
  const folder = await world.folder('lamp');
  world.companion().assistants.change(one.assistantId, { folders: [folder] });
  const mine = await openStream(one);
  const theirs = await openStream(other);
  const approval = await scene.question(one);
  await waitUntil(() => mine.events().length === 1, 'the approval');
  const foreign = await scene.question(other);
  await world.yes();
  const { body } = await one.call('POST', '/companion/items', { body: { folder } });
  const itemId = String(body['itemId']);
  await world.item(itemId, 'review');
  await waitUntil(() => mine.events().some(({ stands }) => stands === 'review'), 'the review');

  const events = mine.events();
  expect(events.filter(({ about }) => ![approval.id, itemId].includes(about))).toEqual([]);
  expect(describeEvents(events)[0]).toBe(`approval ${approval.id} pending`);
  expect(describeEvents(events)).toContain(`approval ${approval.id} done`);
  expect(describeEvents(events).at(-1)).toBe(`item ${itemId} review`);
  expect(getEventNumbers(events)).toEqual(getEventNumbers(events).toSorted((a, b) => a - b));
  expect(new Set(getEventNumbers(events)).size).toBe(events.length);
  expect(describeEvents(theirs.events())[0]).toBe(`approval ${foreign.id} pending`);
  expect(new Set(theirs.events().map(({ about }) => about))).toEqual(new Set([foreign.id]));
  expect(theirs.text()).not.toContain(approval.listingId);
});

test('an assistant that reconnects receives every missed event exactly once', async () => {
  const { one } = scene;
  const first = await openStream(one);
  const [a, b] = [await scene.question(one), await scene.question(one)];
  await waitUntil(() => first.events().length === 2, 'both approvals');
  const last = first.events().at(-1)?.id ?? '';
  first.close();
  await withdrawApproval(one, a.id);
  const c = await scene.question(one);
  const again = await openStream(one, last);
  await waitUntil(() => again.events().length >= 2, 'the missed events');
  await withdrawApproval(one, b.id);
  await waitUntil(() => again.events().length >= 3, 'the new event');
  expect(describeEvents(again.events())).toEqual([
    `approval ${a.id} withdrawn`,
    `approval ${c.id} pending`,
    `approval ${b.id} withdrawn`,
  ]);
  const nothing = await openStream(one, again.events().at(-1)?.id);
  expect(nothing.events()).toEqual([]);
});

test('an event stream resumed after any event sends all later events', async () => {
  const { one } = scene;
  const stream = await openStream(one);
  for (let turn = 0; turn < 3; turn += 1) await withdrawApproval(one, (await scene.question(one)).id);
  await waitUntil(() => stream.events().filter(({ stands }) => stands === 'withdrawn').length === 3, 'the end');
  const all = stream.events();
  for (const [index, { id }] of all.entries()) {
    const rest = await openStream(one, id);
    await waitUntil(() => rest.events().length >= all.length - index - 1, 'the remaining events');
    expect(rest.events()).toEqual(all.slice(index + 1));
    rest.close();
    await waitUntil(rest.over, 'the end of the stream');
  }
});

test.each(['unknown-1', 'x', '-1', '999999999', 'a'.repeat(500)])(
  'an event stream resumed after the unknown event id %s starts with the states of all approvals and items',
  async (lastId) => {
    const { one } = scene;
    const [a, b] = [await scene.question(one), await scene.question(one)];
    await withdrawApproval(one, a.id);
    const stream = await openStream(one, lastId);
    await waitUntil(() => stream.events().length >= 2, 'the current states');
    expect(describeEvents(stream.events()).toSorted()).toEqual(
      [`approval ${a.id} withdrawn`, `approval ${b.id} pending`].toSorted(),
    );
  },
);

test('another assistant’s event id is treated as unknown', async () => {
  const theirs = await openStream(scene.other);
  await scene.question(scene.other);
  await waitUntil(() => theirs.events().length === 1, 'the other assistant’s approval');
  const { id } = await scene.question(scene.one);
  const mine = await openStream(scene.one, theirs.events()[0]?.id);
  await waitUntil(() => mine.events().length >= 1, 'the current states');
  expect(describeEvents(mine.events())).toEqual([`approval ${id} pending`]);
});

const turnedAway: [string, (assistantId: string) => void][] = [
  ['paused', (assistantId) => scene.world.companion().assistants.change(assistantId, { paused: true })],
  ['revoked', (assistantId) => scene.world.companion().assistants.revoke(assistantId)],
];
test.each(turnedAway)(
  'the event stream of an assistant that is %s ends, while the streams of others stay open',
  async (_what, turnAway) => {
    const { one, other } = scene;
    const [mine, theirs] = [await openStream(one), await openStream(other)];
    turnAway(one.assistantId);
    await waitUntil(mine.over, 'the end of the stream');
    expect((await one.call('GET', '/companion/events')).status).toBeOneOf([401, 403]);
    await scene.question(other);
    await waitUntil(() => theirs.events().length === 1, 'the other assistant’s approval');
    expect(mine.events()).toEqual([]);
  },
);

test('a refused event stream does not use up the limit of event streams', async () => {
  await scene.world.companion().connect.forget();
  for (let turn = 0; turn < 10; turn += 1) {
    const answer = await scene.one.call('GET', '/companion/events');
    expect([answer.status, answer.body['code']]).toEqual([503, 'NOT_CONNECTED']);
  }
});
