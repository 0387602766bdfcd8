import { afterEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../helpers/world.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';

let world: World;
afterEach(() => world.close());

test('a folder of photos becomes a live listing after one approval', async () => {
  world = await startWorld();
  const { listingId, title, photos } = await world.reviewed('A book about rivers', 3);
  expect(title).toBe('A book about rivers');
  expect(photos.map(({ state, uploaded }) => [state, uploaded])).toEqual([
    ['ready', true],
    ['ready', true],
    ['ready', true],
  ]);

  const edited = await world.perform('updateListing', {
    params: { listingId },
    body: { title: 'Rivers, a book', price: 1_500 },
  });
  expect(edited.state).toBe('done');

  const asked = await world.perform('publishListing', { params: { listingId } });
  expect(asked.state).toBe('pending');
  expect(await world.happened('publish')).toBe(0);

  const [prompt] = world.companion().approvals.listPending();
  expect(prompt?.prompt).toMatchObject({
    act: 'Publish on the US site',
    yes: 'Publish for US$0.35',
    target: { title: 'Rivers, a book' },
    money: { state: 'fee', totalMinor: 35, currency: 'USD' },
  });
  expect(prompt?.prompt.feeNotice).toContain('the US site');

  const { approvalId = '', digest = '' } = prompt ?? {};
  const done = await world.pressYes(approvalId, digest);
  expect(done).toMatchObject({
    state: 'done',
    outcome: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1/) as string },
  });
  await world.pressYes(approvalId, digest);
  expect(await world.happened('publish')).toBe(1);
  expect(await world.happened('draft')).toBe(1);
  expect(await world.happened('generation')).toBe(1);

  const page = await fetch(done.outcome?.url ?? '');
  expect(await page.text()).toContain('Rivers, a book');
  expect(listAllItems(world.companion())[0]?.step).toBe('live');
});
