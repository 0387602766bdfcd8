import type { Page } from 'playwright/test';
import { formatEnglishMessage } from '../../../../src/i18n/english.ts';
import { languages, type Language } from '../../../../src/i18n/languages.ts';
import { createMessage } from '../../../../src/i18n/message.ts';
import { isDrawn } from '../../isDrawn.ts';
import { expect, readLastRequest, setLanguage, test } from '../page.ts';

test('a row shows the state of its item, and a failed item can be retried', async ({ open }) => {
  const page = await open('', {});
  await expect(page.getByRole('listitem', { name: /Vintage Red Fox.*Ready to review/ })).toBeVisible();
  await expect(page.getByRole('listitem', { name: /paperback book – Uploading, 1 of 3 photos/ })).toBeVisible();
  const stopped = page.getByRole('listitem', { name: /framed picture/ });
  await expect(stopped).toContainText('The service could not be reached');
  await stopped.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => page.evaluate(() => window.fake.asked.map(({ name }) => name))).toContain('items.resume');
  await expect(stopped).toContainText('Uploading, 3 of 3 photos');
});

test('a row’s thumbnail has the resolution of its displayed size', async ({ open }) => {
  const page = await open('', {});
  const row = page.getByRole('listitem', { name: /Vintage Red Fox/ });
  const picture = row.locator('canvas');
  await expect.poll(() => isDrawn(picture)).toBe(true);
  const [shown, drawn] = [
    await picture.boundingBox(),
    await picture.evaluate(({ width, height }: HTMLCanvasElement) => ({ width, height })),
  ];
  expect(shown).toMatchObject(drawn);
  expect(drawn).toEqual({ width: 40, height: 40 });
  await expect(row.locator('img')).toHaveCount(0);
});

test('a row rendered on a sharper display gets a sharper thumbnail', async ({ open }) => {
  const page = await open('', {});
  const row = page.getByRole('listitem', { name: /Vintage Red Fox/ });
  await expect.poll(() => isDrawn(row.locator('canvas'))).toBe(true);
  await page.evaluate(() => {
    Object.defineProperty(window, 'devicePixelRatio', { value: 2, configurable: true });
    const { fake } = window;
    fake.listings.lst_fox = { ...fake.listings.lst_fox, title: 'Renamed meanwhile' };
    fake.changed('items');
  });
  const picture = page.getByRole('listitem', { name: /Renamed meanwhile/ }).locator('canvas');
  await expect(picture).toHaveAttribute('width', '80');
  await expect.poll(() => isDrawn(picture)).toBe(true);
});

test('keys move through the items, and edit and publish the open item', async ({ open }) => {
  const page = await open('', {});
  await page.getByRole('listitem', { name: /Vintage Red Fox/ }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/items\/fox/);
  await expect(page.getByLabel('Title', { exact: true })).toBeVisible();
  await page.keyboard.press('e');
  await expect(page.getByLabel('Title', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Title', { exact: true })).not.toBeFocused();
  await page.keyboard.press('p');
  await expect(page.getByText('Enter it, then publish again')).toBeVisible();
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/items\/frame/);
});

test('an edit is saved when its field loses the focus, and a refused edit stays in the field', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const title = page.getByLabel('Title', { exact: true });
  await title.fill('Red fox');
  await title.press('Control+Enter');
  await expect(page.getByText('Saved')).toBeVisible();
  await page.evaluate(() => window.fake.refusedOnce.add('updateListing'));
  await title.fill('A refused fox');
  await title.blur();
  await expect(page.getByText('The service cannot be reached.')).toBeVisible();
  await expect(title).toHaveValue('A refused fox');
  await page.getByLabel('Price', { exact: true }).fill('abc');
  await page.getByLabel('Price', { exact: true }).blur();
  await expect(page.getByText('a price like 34.99')).toBeVisible();
  await page.getByRole('button', { name: 'Use suggested' }).click();
  await expect
    .poll(() => readLastRequest(page, 'updateListing'))
    .toMatchObject({ route: 'updateListing', input: { body: { price: 3_999 } } });
});

test('a missing weight is entered in its field, and publishing then opens the prompt', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const weight = page.getByLabel('Packed weight');
  await weight.fill('350 g');
  await weight.blur();
  await expect(page.getByText('Shipping needs the packed weight.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Publish…' }).click();
  await expect(page.getByRole('dialog', { name: /^Publish/ })).toBeVisible();
});

test('the packed weight is given in the units of the site, and stays if the service does not tell it', async ({
  open,
}) => {
  const page = await open('#/items/fox', {});
  const weight = page.getByLabel('Packed weight');
  const readSent = () => readLastRequest(page, 'updateListing');
  await weight.fill('2 lb 3 oz');
  await weight.blur();
  await expect.poll(readSent).toMatchObject({ route: 'updateListing', input: { body: { packageWeightGrams: 992 } } });
  await expect(page.locator('datalist option[value="1 lb"]')).toHaveCount(1);
  await weight.fill('1 lb');
  await weight.blur();
  await expect.poll(readSent).toMatchObject({ route: 'updateListing', input: { body: { packageWeightGrams: 454 } } });
  await expect(weight).toHaveValue('1 lb');
  const unconfirmed = page.getByText('The service did not confirm this weight');
  await expect(unconfirmed).toHaveCount(0);
  await page.evaluate(() => {
    const { fake } = window;
    fake.listings.lst_fox = { ...fake.listings.lst_fox, packageWeightGrams: null };
    fake.changed('listings');
  });
  await expect(unconfirmed).toBeVisible();
  await expect(weight).toHaveValue('1 lb');
});

test('scripts in a description do not run', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const frame = page.frameLocator('iframe[title^="Description"]');
  await expect(frame.getByText('hand-painted')).toBeVisible();
  await expect(frame.locator('script, img, [onerror]')).toHaveCount(0);
  expect(await page.locator('iframe').getAttribute('sandbox')).toBe('');
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
});

test('selected photo files are uploaded and then added in one call', async ({ open }) => {
  const page = await open('', {});
  const files = ['a.jpg', 'b.jpg', 'clip.mov'].map((name) => ({
    name,
    mimeType: name.endsWith('v') ? 'video/quicktime' : 'image/jpeg',
    buffer: Buffer.from(name),
  }));
  await page.getByRole('region', { name: 'Drop photos here' }).getByLabel('Choose photos').setInputFiles(files);
  await expect(page.getByText('1 item added')).toBeVisible();
  const sent = await page.evaluate(() => window.fake.asked.find(({ name }) => name === 'items.add')?.input);
  expect(sent).toMatchObject({
    sources: { kind: 'uploads', files: [{ relativePath: 'a.jpg' }, { relativePath: 'b.jpg' }] },
  });
});

test('a message names skipped symbolic links until the person dismisses the message', async ({ open }) => {
  const left = createMessage('items.linksOutside', { count: 2, names: 'card.jpg, papers' });
  const added = createMessage('items.added', {
    items: createMessage('items.items', { count: 1 }),
    photos: createMessage('items.photos', { count: 2 }),
  });
  const says = createMessage('items.addedWithoutLinks', { added, left });
  const sentence = formatEnglishMessage(says);
  const page = await open('', { added: { itemIds: ['fox'], skipped: 2, sentence, says, left } });
  await page.clock.install();
  for (const language of Object.keys(languages) as Language[]) {
    await setLanguage(page, language);
    await page
      .locator('input[type=file]:not([webkitdirectory])')
      .first()
      .setInputFiles([{ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('a') }]);
    const line = page.getByText('card.jpg, papers');
    await expect(line).toBeVisible();
    // Other toast messages disappear after six seconds.
    await page.clock.fastForward(60_000);
    await expect(line).toBeVisible();
    await page.getByRole('alert').filter({ has: line }).getByRole('button').click();
    await expect(line).toHaveCount(0);
  }
});

test('a long list renders only visible rows and announces its full length', async ({ open }) => {
  const page = await open('', { items: 'many' });
  await page.getByRole('list', { name: 'Items' }).waitFor();
  expect(await page.getByRole('listitem').count()).toBeLessThan(60);
  await expect(page.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '356');
});

test('a change made while the list is first read is shown', async ({ open }) => {
  const page = await open('', {});
  await page.addInitScript(() => {
    let isFirst = true;
    const renaming = (companion: NonNullable<typeof window.companion>): typeof companion => ({
      ...companion,
      call: async (name, input) => {
        const reply = await companion.call(name, input);
        if (name === 'items.list' && isFirst) {
          isFirst = false;
          const { fake } = window;
          fake.listings.lst_fox = { ...fake.listings.lst_fox, title: 'Renamed meanwhile' };
          fake.changed('items');
        }
        return reply;
      },
    });
    // The wrapper must be in place before the app reads the list for the first time.
    Object.defineProperty(window, 'companion', {
      configurable: true,
      set: (companion: NonNullable<typeof window.companion>) =>
        Object.defineProperty(window, 'companion', { configurable: true, value: renaming(companion) }),
    });
  });
  await page.reload();
  await expect(page.getByRole('listitem', { name: /Renamed meanwhile/ })).toBeVisible();
});

test('unopened screens are loaded while the window is idle', async ({ open }) => {
  const loaded = (page: Page): Promise<string[]> =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => /(\w+)-[^/]*$/.exec(name)?.[1] ?? ''),
    );
  const page = await open('', {}, { loadsAhead: true });
  await expect
    .poll(() => loaded(page))
    .toEqual(expect.arrayContaining(['ListingsScreen', 'HelpScreen', 'ApprovalPrompt', 'BatchPrompt']));
});

test('during a search the previous rows stay visible until the first results arrive', async ({ open }) => {
  const page = await open('', { items: 'ready200' });
  const list = page.getByRole('list', { name: 'Items' });
  await list.getByRole('listitem').first().waitFor();
  await list.evaluate(({ parentElement: frame }) => frame?.scrollTo({ top: frame.scrollHeight * 0.75 }));
  const row = list.locator('[aria-posinset="151"]');
  const name = (await row.getAttribute('aria-label')) ?? '';
  await page.evaluate(() => {
    const { companion, fake } = window;
    if (companion === undefined) return;
    const { call } = companion;
    const answered = new Promise<void>((resolve) => (fake.answer = resolve));
    companion.call = async (name, input) => {
      const reply = await call(name, input);
      if (name === 'items.list' && (input as { offset?: number }).offset === 0) await answered;
      return reply;
    };
  });
  const searches = (): Promise<unknown[]> =>
    page.evaluate(() => {
      const lists = window.fake.asked.filter(({ name }) => name === 'items.list');
      const inputs = lists.map(({ input }) => input as { find?: string; offset?: number });
      return inputs.filter(({ find }) => find === 'fox').map(({ offset }) => offset);
    });
  await page.getByLabel('Find an item').fill('fox');
  await expect.poll(searches).toEqual([0]);
  await expect(row).toHaveAttribute('aria-label', name);
  await page.evaluate(() => window.fake.answer());
  await expect(list.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '50');
});

test('controls beside the empty list do not move when the allowance is loaded', async ({ open }) => {
  const page = await open('', { items: 'none', state: { allowance: null } });
  const tick = page.getByRole('checkbox', { name: 'Wait until I’ve checked them' });
  await expect(tick).toBeVisible();
  const before = await tick.boundingBox();
  await page.evaluate(() => {
    const allowance = { remaining: 5, credits: 0, resetsAt: '2026-12-22T12:00:00Z', photosPerListing: 16 };
    window.fake.state = { ...window.fake.state, allowance };
    window.fake.changed('app');
  });
  await expect(page.getByText('5 listings left until December 22')).toBeVisible();
  expect(await tick.boundingBox()).toEqual(before);
});

test('a search shows its first items, wherever the list was scrolled, and says if there are none', async ({ open }) => {
  const page = await open('', { items: 'ready200' });
  const list = page.getByRole('list', { name: 'Items' });
  await list.getByRole('listitem').first().waitFor();
  const getTop = () => list.evaluate((element) => element.parentElement?.scrollTop);
  await list.evaluate((element) => element.parentElement?.scrollTo(0, 1_000));
  await expect.poll(getTop).toBe(1_000);
  await page.getByLabel('Find an item').fill('novel');
  await expect(list.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '50');
  await expect.poll(getTop).toBe(0);
  await page.getByLabel('Find an item').fill('zzzz');
  await expect(page.getByRole('status').filter({ hasText: 'Nothing found.' })).toBeVisible();
});

/** Searches with a paused clock, which runs only until the list shows the item. */
const searchUntilListed = async (page: Page, title: string): Promise<void> => {
  const first = page.getByRole('list', { name: 'Items' }).getByRole('listitem').first();
  await page.getByLabel('Find an item').fill(title);
  while (!(await first.getAttribute('aria-label'))?.startsWith(title)) await page.clock.runFor(1);
};

const openWithPausedClock = async (open: (hash: string, options: { items: 'ready200' }) => Promise<Page>) => {
  const page = await open('', { items: 'ready200' });
  const heading = page.getByRole('region', { name: 'Item', exact: true }).getByRole('heading').first();
  await expect(heading).toHaveText('Red fox figurine no. 1');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  return { page, heading };
};

test('the item beside the list changes when the person stops typing a search', async ({ open }) => {
  const { page, heading } = await openWithPausedClock(open);
  for (const title of ['Film camera no. 2', 'Paperback novel no. 3']) {
    await searchUntilListed(page, title);
    await page.clock.runFor(200);
    await expect(heading).toHaveText('Red fox figurine no. 1');
  }
  await page.clock.runFor(200);
  await expect(heading).toHaveText('Paperback novel no. 3');
});

for (const [use, act] of [
  ['edits it', (page: Page) => page.locator('#review-title').click()],
  ['leaves the search field', (page: Page) => page.getByLabel('Find an item').blur()],
] as const)
  test(`the item beside the list stays during a search if the person ${use}`, async ({ open }) => {
    const { page, heading } = await openWithPausedClock(open);
    await searchUntilListed(page, 'Film camera no. 2');
    await act(page);
    await page.clock.runFor(2_000);
    await expect(heading).toHaveText('Red fox figurine no. 1');
    for (const title of ['Paperback novel no. 3', 'Film camera no. 2']) {
      await searchUntilListed(page, title);
      await page.clock.runFor(400);
      await expect(heading).toHaveText(title);
    }
  });

test('the first item stays beside the list when the person closes it', async ({ open }) => {
  const page = await open('#/items/ready-0', { items: 'ready200' });
  const pane = page.getByRole('region', { name: 'Item', exact: true });
  await expect(pane.getByLabel('Title', { exact: true })).toBeVisible();
  await pane.evaluate((element) => (element.dataset['mark'] = 'same'));
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/#\/$/);
  await expect(pane).toHaveAttribute('data-mark', 'same');
});
