import type { Locator, Page } from 'playwright/test';
import type { Scenario } from '../../../helpers/fakes/fakeCompanion.ts';
import { languages, type Language } from '../../../../src/i18n/languages.ts';
import { expect, putStatus, test } from '../page.ts';

const getPane = (page: Page) => page.getByRole('region', { name: /^(Item|Listing)$/ });
const getChannels = (page: Page) => getPane(page).getByRole('region', { name: 'Channels', exact: true });

const measureBottom = async (what: Locator): Promise<number> => {
  const box = await what.boundingBox();
  return box === null ? Infinity : box.y + box.height;
};

/** Expects the main fields to be fully visible above this position. */
const expectMainFieldsAbove = async (page: Page, end: number): Promise<void> => {
  for (const name of ['Title', 'Price', 'Quantity', 'Condition']) {
    const field = getPane(page).getByLabel(name, { exact: true });
    expect(await measureBottom(field), name).toBeLessThanOrEqual(end);
    expect((await field.boundingBox())?.y, name).toBeGreaterThanOrEqual(0);
  }
};

const places: [what: string, hash: string, scenario: Scenario][] = [
  ['an item in review', '#/items/fox', {}],
  ['a listing in review', '#/listings/lst_fox', {}],
];
for (const [what, hash, scenario] of places)
  test(`${what} shows its main fields and its blockers without scrolling`, async ({ open }) => {
    const page = await open(hash, scenario);
    await expect(getChannels(page)).toBeAttached();
    const { y: foot } = (await getPane(page).getByRole('button', { name: 'Publish…' }).boundingBox()) ?? { y: 0 };
    await expectMainFieldsAbove(page, foot);
    expect(await measureBottom(getPane(page).getByRole('button', { name: 'Go there' }))).toBeLessThan(foot);
    expect(await measureBottom(getPane(page).getByLabel('Condition', { exact: true }))).toBeLessThan(
      (await getChannels(page).boundingBox())?.y ?? 0,
    );
  });

for (const language of Object.keys(languages) as Language[])
  for (const hash of ['#/items/ready-0', '#/listings/lst_fox'])
    test(`the review buttons are in one line at 1280 × 800: ${hash}, ${language}`, async ({ open }) => {
      const page = await open(hash, { items: 'ready', language });
      const publish = page.locator('[aria-describedby="publish-hint"]');
      await expect(publish).toBeVisible();
      const answers = publish.locator('..').getByRole('button');
      if (hash.startsWith('#/items')) await expect(answers).toHaveCount(3);
      const tops = await answers.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      expect(new Set(tops).size).toBe(1);
    });

for (const status of ['published', 'ended'])
  for (const onCorner of [false, true])
    test(`a listing that is ${status}${onCorner ? ' on two channels' : ''} shows its facts above its channels`, async ({
      open,
    }) => {
      const page = await open('#/listings/lst_shoes', onCorner ? { onCorner } : {});
      await putStatus(page, 'lst_shoes', status);
      await expect(getChannels(page).getByRole('listitem').first()).toBeAttached();
      const { y: channelsAt } = (await getChannels(page).boundingBox()) ?? { y: 0 };
      for (const part of ['€59.00', 'Quantity', 'Condition', 'Clothing > Shoes > Running shoes']) {
        const bottom = await measureBottom(getPane(page).getByText(part).first());
        expect(bottom, part).toBeLessThanOrEqual(Math.min(800, channelsAt));
      }
    });

for (const language of Object.keys(languages) as Language[])
  test(`the buttons for selected items stay inside the list: ${language}`, async ({ open }) => {
    const page = await open('', { items: 'ready', language });
    const list = page.getByRole('main').getByRole('list').first();
    await expect(list.getByRole('listitem').first()).toBeVisible();
    await page.keyboard.press('ControlOrMeta+a');
    const publish = page.locator('button[aria-keyshortcuts="P"]').filter({ hasText: '20' });
    await expect(publish).toBeVisible();
    const isInside = async (inner: Locator, outer: Locator): Promise<boolean> => {
      const [one, other] = [await inner.boundingBox(), await outer.boundingBox()];
      return one !== null && other !== null && one.x >= other.x && one.x + one.width <= other.x + other.width;
    };
    const bar = publish.locator('../..');
    for (const button of await bar.getByRole('button').all()) expect(await isInside(button, bar)).toBe(true);
    expect(await isInside(bar, list)).toBe(true);
  });

const longTitle = 'Reebok Classic Leather Trainers, Size 43';
for (const [width, height, least] of [
  [1280, 800, 9],
  [1920, 1080, 14],
] as const)
  test(`at least ${least} items are in view at ${width} × ${height}, in rows of 56 pixels with whole titles`, async ({
    open,
  }) => {
    const page = await open('', { items: 'ready200' }, { width });
    await page.setViewportSize({ width, height });
    await page.evaluate((title) => {
      for (const item of window.fake.items) item.title = title;
      window.fake.changed('items');
    }, longTitle);
    const rows = page.getByRole('list', { name: 'Items' }).getByRole('listitem');
    const titles = rows.getByText(longTitle, { exact: true });
    await expect(titles.nth(least)).toBeAttached();
    for (let at = 0; at < least; at += 1) await expect(rows.nth(at)).toBeInViewport({ ratio: 1 });
    const heights = await rows
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => one.parentElement?.getBoundingClientRect().height));
    expect(new Set(heights)).toEqual(new Set([56]));
    const cut = await titles.evaluateAll((all) =>
      all.filter(({ parentElement: frame }) => frame && frame.scrollHeight > frame.clientHeight + 2),
    );
    expect(cut).toEqual([]);
  });

test('the person widens the list by keyboard, and the list keeps its width after a reload', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  const edge = page.getByRole('separator', { name: 'Width of the list' });
  const list = page.getByRole('list', { name: 'Items' });
  const before = (await list.boundingBox())?.width ?? 0;
  await edge.press('Shift+ArrowRight');
  await expect.poll(async () => (await list.boundingBox())?.width).toBeGreaterThan(before + 90);
  const wide = (await list.boundingBox())?.width;
  await page.reload();
  await expect(list.getByRole('listitem').first()).toBeVisible();
  expect((await list.boundingBox())?.width).toBe(wide);
});
