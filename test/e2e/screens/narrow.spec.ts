import { languageCodes } from '../../../src/i18n/languages.ts';
import { expect, test } from './page.ts';

test('in a narrow window the review buttons are in one line in every language', async ({ open }) => {
  for (const language of languageCodes) {
    const page = await open('#/items/fox', { language }, { width: 480, instead: true });
    const publish = page.locator('button[aria-keyshortcuts=P]');
    await expect(publish).toBeVisible();
    const tops = await publish.evaluate((button) =>
      [...(button.parentElement?.querySelectorAll('button') ?? [])].map((one) => one.getBoundingClientRect().top),
    );
    expect(tops.length, language).toBe(3);
    expect(new Set(tops).size, language).toBe(1);
  }
});

test('an item’s state is fully visible beside its start button', async ({ open }) => {
  for (const width of [480, 1280]) {
    const page = await open('', { items: 'guessed' }, { width, instead: true });
    const row = page.getByRole('listitem', { name: /^fox figurine/ });
    await expect(row.getByTitle('1 thing to look at')).toBeVisible();
    const words = row.getByText('Ready to check', { exact: true });
    expect(await words.evaluate((text) => text.scrollWidth - text.clientWidth), `at ${width} px`).toBe(0);
    const box = await row.getByRole('link').boundingBox();
    expect(box?.height).toBeLessThanOrEqual(72);
  }
});

test('the state of an item in progress is fully visible beside its progress', async ({ open }) => {
  for (const language of ['en', 'de'] as const)
    for (const width of [480, 760, 1280]) {
      const page = await open('', { language }, { width, instead: true });
      for (const id of ['camera', 'book']) {
        const row = page.locator(`li:has([data-item=${id}])`);
        const [words, progress] = [
          row.getByText(/^(Uploading|Waiting|Being|Preparing|Wird|Warte|Foto)/),
          row.locator('a [aria-hidden] div').first(),
        ];
        await expect(progress).toBeVisible();
        expect(
          await words.evaluate((text) => text.scrollWidth - text.clientWidth),
          `${language} ${id} at ${width} px`,
        ).toBe(0);
      }
    }
});

test('the table of listings shows the columns of the default view in windows of every width', async ({ open }) => {
  const page = await open('#/listings', {}, { width: 1280 });
  const table = page.getByRole('table', { name: 'Listings' });
  await expect(table.getByRole('link').first()).toBeVisible();
  for (const width of [480, 740, 741, 760, 960, 961, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(table.getByText(/^US\$/).first()).toBeInViewport({ ratio: 1 });
    const hidden = await table.evaluate(({ parentElement: frame }) =>
      frame ? frame.scrollWidth - frame.clientWidth : NaN,
    );
    expect(hidden, `at ${width} px`).toBe(0);
  }
});

test('a listing without a price shows its state below its title', async ({ open }) => {
  const page = await open('#/listings', {}, { width: 480 });
  await page.evaluate(() => {
    const { fake } = window;
    fake.rows = fake.rows.map((row) => ({ ...row, priceCents: null }));
    fake.changed('listings');
  });
  const row = page.getByRole('rowgroup').getByRole('row').first();
  await expect(row.getByText('US$')).toHaveCount(0);
  const [title, status] = [row.getByRole('link'), row.locator('[data-state]')];
  expect((await status.boundingBox())?.x).toBe((await title.boundingBox())?.x);
});

test('a toast message hidden by a prompt stays until it has been visible long enough', async ({ open }) => {
  const page = await open('', {}, { width: 900 });
  await page.clock.install();
  await page.goto(`${page.url().replace(/#.*/, '')}#/items/fox`);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Publish…' })).toBeVisible();
  await page.keyboard.press('n');
  const message = page.getByText('Nothing else to review.');
  await expect(message).toBeVisible();
  await page.evaluate(() => {
    window.fake.approvals = [window.fake.publish()];
    window.fake.changed('approvals');
  });
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.clock.runFor(20_000);
  await expect(message).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.clock.runFor(5_000);
  await expect(message).toBeVisible();
  await page.clock.runFor(5_000);
  await expect(message).toHaveCount(0);
});

test('totals in two currencies stand side by side in a narrow window', async ({ open }) => {
  const page = await open('#/insights', {}, { width: 480 });
  const tabs = page.getByRole('region', { name: 'Sales', exact: true }).getByRole('tab');
  await expect(tabs).toHaveCount(2);
  const tops = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
});

test('a failed item is a row of 56 pixels, and its pane has the whole sentence and all steps', async ({ open }) => {
  for (const width of [480, 1280]) {
    const page = await open('', {}, { width, instead: true });
    const row = page.locator('li:has([data-item=laptop])');
    const button = row.getByRole('button');
    await expect(button).toHaveText(['Change photos']);
    const [outer, step] = [await row.boundingBox(), await button.boundingBox()];
    expect(outer?.height).toBeLessThanOrEqual(56);
    expect(step?.height).toBe(28);
    expect((step?.x ?? NaN) + (step?.width ?? NaN)).toBeLessThan((outer?.x ?? NaN) + (outer?.width ?? NaN));
    await row.getByRole('link').click();
    const pane = page.getByRole('region', { name: 'Item', exact: true });
    const sentence = pane.getByText('The photos could not be read. Sharper photos help.');
    await expect(sentence).toBeVisible();
    expect(await sentence.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    for (const name of ['Change photos', 'Write again…', 'Remove'])
      await expect(pane.getByRole('button', { name, exact: true })).toBeVisible();
    // Opening the item does not move the other rows.
    expect((await row.boundingBox())?.height).toBe(outer?.height);
  }
});

test('a count above 99 is short in the narrow sidebar and whole in the name of its link', async ({ open }) => {
  const page = await open('', { items: 'many' }, { width: 800 });
  const link = page.getByRole('navigation').getByRole('link', { name: /^Items/ });
  await expect(link).toHaveText(/99\+$/);
  await expect(link).toHaveAccessibleName(/\d{3}/);
});

test('in a narrow window the thumbnails stand beside the photo', async ({ open }) => {
  const page = await open('#/items/fox', {}, { width: 480 });
  const photos = page.getByRole('region', { name: 'Photos' });
  const thumbs = photos.locator('[aria-pressed]');
  await expect(thumbs).toHaveCount(4);
  const large = await photos.getByRole('button', { name: /^Look closer/ }).boundingBox();
  for (const thumb of await thumbs.all()) {
    const box = await thumb.boundingBox();
    expect(box?.x).toBe((large?.x ?? 0) + (large?.width ?? 0) + 8);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((large?.y ?? 0) + (large?.height ?? 0));
  }
});
