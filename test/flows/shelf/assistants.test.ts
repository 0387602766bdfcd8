import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { emptyShelf } from '../../../src/core/base/shelfFields.ts';
import { pairWithId, type Paired } from '../../helpers/bridge/scene.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { runCommand, type Ended } from '../cli/command.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let assistant: Paired;
let shirt: string;
let lamp: string;

beforeAll(async () => {
  world = await startWorld();
  bridge = await world.bridge();
  assistant = await pairWithId(world, bridge.url, 'Command line');
  world.companion().assistants.change(assistant.assistantId, { touches: 'all' });
  shirt = (await world.reviewed('shirt', 1)).listingId;
  lamp = (await world.reviewed('lamp', 1)).listingId;
});
afterAll(async () => {
  await bridge.stop();
  await world.close();
});

const cost = { minor: 350, currency: 'USD' };
const shelf = () => world.companion().shelf;
const allow = (isAllowed: boolean): void =>
  world.companion().assistants.change(assistant.assistantId, { shelf: isAllowed });
const run = (...args: string[]): Promise<Ended> => runCommand(world.dataDir, args, { token: assistant.token });
const runJson = async (...args: string[]): Promise<unknown> =>
  JSON.parse((await run(...args, '--json')).stdout) as unknown;
const found = z.looseObject({ listings: z.array(z.looseObject({ listingId: z.string(), shelf: z.unknown() })) });
const findListings = async (...flags: string[]): Promise<string[]> =>
  found.parse(await runJson('list', ...flags)).listings.map(({ listingId }) => listingId);
const callBridge = (method: string, path: string, body?: object) =>
  assistant.call(method, path, body === undefined ? {} : { body });

test('without the right to the shelf, the command line and the bridge neither read nor change anything of it', async () => {
  allow(false);
  shelf().change({ listingIds: [shirt] }, { place: 'A04', sku: 'A04-1', cost, tags: ['summer'], note: 'left sleeve' });
  const ended = [
    await run('shelf', shirt),
    await run('shelf', shirt, '--place', 'Z9'),
    await run('list', '--place', 'A04'),
    await run('list', '--sku', 'A04-1', '--json'),
    await run('list', '--tag', 'summer'),
  ];
  expect(ended.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1]);
  const read = [await run('list'), await run('show', shirt, '--json'), await run('status')];
  expect(read.map(({ code }) => code)).toEqual([0, 0, 0]);
  const answers = [
    await callBridge('GET', `/companion/listings/${shirt}/shelf`),
    await callBridge('PUT', `/companion/listings/${shirt}/shelf`, { place: 'Z9' }),
    await callBridge('GET', '/companion/shelf?place=A04'),
  ];
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    answers.map(() => [403, expect.objectContaining({ code: 'NOT_ALLOWED' }) as unknown]),
  );
  expect(JSON.stringify([ended, read, answers])).not.toMatch(/A04|sleeve|summer|"minor"/);
  expect(shelf().read({ listingId: shirt }).fields.place).toBe('A04');
});

test('with the right to the shelf, the command line shows and changes place, SKU, tags and note, and never the cost', async () => {
  allow(true);
  expect(await run('shelf', shirt)).toEqual({
    code: 0,
    stdout: 'sku    A04-1\nplace  A04\ntags   summer\nnote   left sleeve\n',
    stderr: '',
  });
  const changed = await runJson(
    'shelf',
    lamp,
    '--place',
    'B 02',
    '--sku',
    'B02-7',
    '--tags',
    'brass, old',
    '--note',
    '',
  );
  expect(changed).toEqual({ shelf: { sku: 'B02-7', place: 'B 02', tags: ['brass', 'old'], note: null } });
  const kept = { ...emptyShelf, sku: 'B02-7', place: 'B 02', tags: ['brass', 'old'] };
  expect(shelf().read({ listingId: lamp }).fields).toEqual(kept);
  // A flag that is left out keeps its field, and an empty text clears it.
  await run('shelf', lamp, '--sku', '');
  expect(shelf().read({ listingId: lamp }).fields).toEqual({ ...kept, sku: null });
  expect((await run('shelf', lamp, '--note', 'x', '--tags', '')).stdout).toBe('place  B 02\nnote   x\n');
  const refused = await callBridge('PUT', `/companion/listings/${shirt}/shelf`, { cost });
  expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
  expect(shelf().read({ listingId: shirt }).fields.cost).toEqual(cost);
});

test('with the right to the shelf, the command line finds listings by place, SKU and tag, page by page', async () => {
  allow(true);
  shelf().change({ listingIds: [shirt] }, { place: 'C1', sku: 'C1-1', tags: ['summer'] });
  shelf().change({ listingIds: [lamp] }, { place: 'C1', sku: 'C1-2', tags: ['brass'] });
  expect(await findListings('--sku', 'c1-2')).toEqual([lamp]);
  expect(await findListings('--tag', 'Summer')).toEqual([shirt]);
  expect(await findListings('--place', 'C1', '--query', 'nothing of this name')).toEqual([]);
  expect((await findListings('--place', 'c1')).toSorted()).toEqual([shirt, lamp].toSorted());
  const first = z.looseObject({ nextCursor: z.string() }).parse(await runJson('list', '--place', 'C1', '--limit', '1'));
  const one = found.parse(first).listings;
  const other = await findListings('--place', 'C1', '--limit', '1', '--cursor', first.nextCursor);
  expect([...one.map(({ listingId }) => listingId), ...other].toSorted()).toEqual([shirt, lamp].toSorted());
  expect(one[0]?.shelf).toMatchObject({ place: 'C1' });
  for (const query of ['cursor=x', 'limit=0', 'place=', 'colour=red'])
    expect((await callBridge('GET', `/companion/shelf?${query}`)).body).toMatchObject({ code: 'INVALID_REQUEST' });
});

test('the command line gives a new item a place and an SKU, and only with the right to the shelf', async () => {
  const folder = await world.folder('teapot', 1);
  world.companion().assistants.change(assistant.assistantId, { folders: [folder] });
  allow(false);
  const args = ['add', folder, '--place', 'D4', '--sku', 'D4-1', '--no-wait', '--json'];
  expect((await run(...args)).code).toBe(1);
  allow(true);
  const added = z.looseObject({ itemId: z.string() }).parse(JSON.parse((await run(...args)).stdout));
  expect(shelf().read({ itemId: added.itemId }).fields).toEqual({ ...emptyShelf, place: 'D4', sku: 'D4-1' });
});

test('an assistant that may touch only its own listings reads and changes no other shelf', async () => {
  allow(true);
  world.companion().assistants.change(assistant.assistantId, { touches: 'own' });
  for (const answer of [
    await callBridge('GET', `/companion/listings/${shirt}/shelf`),
    await callBridge('PUT', `/companion/listings/${shirt}/shelf`, { note: 'mine' }),
  ])
    expect(answer.body).toMatchObject({ code: 'NOT_YOUR_LISTING' });
  expect(await findListings('--place', 'C1')).toEqual([]);
  world.companion().assistants.change(assistant.assistantId, { touches: 'all', scope: 'read' });
  expect(await callBridge('PUT', `/companion/listings/${shirt}/shelf`, { note: 'mine' })).toMatchObject({
    status: 403,
  });
  expect((await run('shelf', shirt)).stdout).toContain('C1');
  expect(shelf().read({ listingId: shirt }).fields.note).toBe('left sleeve');
});

test('the person sees that an assistant read, changed and searched the shelf', () => {
  const done = world
    .companion()
    .activity.list(assistant.assistantId)
    .filter(({ answeredFrom, title }) => answeredFrom === 'companion' && title !== 'teapot')
    .map(({ what, title }) => `${what.key} ${title ?? ''}`.trim());
  expect(new Set(done)).toEqual(new Set(['activity.read shirt', 'activity.edit lamp', 'activity.listings']));
});
