import type { Locator } from 'playwright/test';
import { languageCodes } from '../../../../src/i18n/languages.ts';
import { expect, setLanguage, test } from '../page.ts';

const windowSizes = [
  { width: 1280, height: 800 },
  { width: 480, height: 800 },
];

/** Returns which of these parts are not completely visible, without any scrolling. */
const listHiddenParts = async (parts: Record<string, Locator>): Promise<string[]> => {
  const hidden: string[] = [];
  for (const [name, part] of Object.entries(parts)) {
    const isInView = await part.evaluate((element) => {
      const { top, right, bottom, left } = element.getBoundingClientRect();
      // A point inside belongs to the part itself if nothing covers it and no scrolling container cuts it off.
      const corners = [
        [left + 1, top + 1],
        [right - 1, bottom - 1],
      ] as const;
      return corners.every(([x, y]) => {
        const there = document.elementFromPoint(x, y);
        return there !== null && (element.contains(there) || there.contains(element));
      });
    });
    if (!isInView) hidden.push(name);
  }
  return hidden;
};

const readMiddle = async (part: Locator): Promise<number> => {
  const { y, height } = (await part.boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
  return Math.round(y + height / 2);
};

test('the price, the fee, the total and the answers are in view in every language', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  const prompt = page.getByRole('dialog');
  await expect(prompt.locator('[data-yes]')).toBeVisible();
  const found: string[] = [];
  for (const language of languageCodes) {
    await setLanguage(page, language);
    const [later, decline, yes] = [0, 1, 2].map((at) =>
      prompt.locator('[data-yes]').locator('..').locator('button').nth(at),
    );
    if (!later || !decline || !yes) throw new Error('An answer is missing.');
    await expect(yes).toContainText(/1[.,]55/);
    const rows = prompt.getByRole('row');
    const parts = {
      price: prompt.getByRole('definition').first(),
      fee: rows.first(),
      total: rows.last(),
      ...{ later, decline, yes },
    };
    await expect(parts.price).toContainText(/34[.,]99/);
    await expect(parts.total).toContainText(/1[.,]55/);
    for (const size of windowSizes) {
      await page.setViewportSize(size);
      const hidden = await listHiddenParts(parts);
      found.push(...hidden.map((part) => `${language} ${size.width}: ${part}`));
      const middles = await Promise.all([later, decline, yes].map(readMiddle));
      if (new Set(middles).size > 1) found.push(`${language} ${size.width}: the answers are in several lines`);
    }
  }
  expect(found).toEqual([]);
});

test('the total and the answers of a batch are in view in every language, and the rows scroll', async ({ open }) => {
  const page = await open('', { batches: ['assistant'] });
  const prompt = page.getByRole('dialog');
  await expect(prompt.locator('[data-yes]')).toBeVisible();
  const found: string[] = [];
  for (const language of languageCodes) {
    await setLanguage(page, language);
    const answers = prompt.locator('[data-yes]').locator('..').locator('button');
    const heading = (await prompt.getByRole('heading', { level: 2 }).textContent()) ?? '';
    // The heading and the button say the same number.
    expect(heading).toMatch(/11\D+12/);
    await expect(answers.last()).toContainText('11');
    for (const size of windowSizes) {
      await page.setViewportSize(size);
      const parts = { total: prompt.getByRole('table').getByRole('row').first(), yes: answers.last() };
      const hidden = await listHiddenParts(parts);
      found.push(...hidden.map((part) => `${language} ${size.width}: ${part}`));
      const middles = await Promise.all((await answers.all()).map(readMiddle));
      if (new Set(middles).size > 1) found.push(`${language} ${size.width}: the answers are in several lines`);
    }
  }
  expect(found).toEqual([]);
});

test('each photo of a prompt is shown once', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Photo 1 of 5' })).toBeVisible();
  const photos = await page
    .getByRole('dialog')
    .locator('img')
    .evaluateAll((all) => all.map((photo) => photo.getAttribute('src')));
  expect(photos).toHaveLength(5);
  expect(new Set(photos).size).toBe(5);
});

test('defaults are folded and unfold with one key, and values set by the request are not folded', async ({ open }) => {
  const page = await open('', { waiting: ['policies'] });
  const prompt = page.getByRole('dialog');
  await expect(prompt.getByRole('region', { name: 'Sent with it' })).toContainText('USPS calculated');
  const defaults = prompt.getByRole('region', { name: 'From your selling defaults' });
  await expect(defaults).toBeHidden();
  const fold = prompt.getByRole('button', { name: /^Your account and policies \(\d+\)$/ });
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  await fold.press('Enter');
  await expect(fold).toHaveAttribute('aria-expanded', 'true');
  await expect(defaults).toContainText('Return period in days');
  await expect(prompt.getByRole('region', { name: /^Policies/ })).toBeVisible();
});

test('a change shows each value once', async ({ open }) => {
  const page = await open('', { waiting: ['revise'] });
  const prompt = page.getByRole('dialog');
  await expect(prompt.getByRole('row', { name: /^Price/ }).locator('del')).toHaveText('€59.00');
  for (const button of await prompt.getByRole('button', { name: /^Show all \(/ }).all()) await button.press('Enter');
  for (const value of ['€59.00', '€49.00', 'Nike', 'They come in their box.']) {
    const text = (await prompt.textContent()) ?? '';
    // The brand is also a part of the title, which is above the changes.
    if (value !== 'Nike') expect(text.split(value).length - 1, value).toBeLessThanOrEqual(1);
  }
  const [before, after] = [0, 1].map((at) =>
    prompt
      .getByRole('row', { name: /^Price/ })
      .getByRole('cell')
      .nth(at),
  );
  const [left, right] = [await before?.boundingBox(), await after?.boundingBox()];
  expect(left?.y).toBe(right?.y);
});

test('a prompt ends in its result, with its total and the way to the listing', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  await page.getByRole('dialog').locator('[data-yes]').click();
  const result = page.getByRole('dialog', { name: 'Live on the US site' });
  await expect(result).toBeVisible();
  await expect(result.getByRole('row', { name: 'Total fees US$1.55' })).toBeVisible();
  await expect(result).not.toContainText('market.example');
  await expect(result).not.toContainText('Publish on the US site');
  // The way to the listing is the first of the next steps.
  const [link, close] = [
    result.getByRole('link', { name: 'Open listing' }),
    result.getByRole('button', { name: 'Close' }),
  ];
  expect((await link.boundingBox())?.x).toBeLessThan((await close.boundingBox())?.x ?? 0);
});

test('a prompt names its result in every language', async ({ open }) => {
  const results: string[] = [];
  for (const language of languageCodes) {
    const page = await open('', { waiting: ['publish'], language }, { instead: true });
    const prompt = page.getByRole('dialog');
    await prompt.locator('[data-yes]').click();
    await expect(prompt.getByRole('status')).toBeVisible();
    results.push((await prompt.getByRole('heading', { level: 2 }).textContent()) ?? '');
    await expect(prompt.getByRole('row').last()).toContainText(/1[.,]55/);
  }
  expect(results).toEqual([
    'Live on the US site',
    'Online auf der US-amerikanischen Website',
    'En ligne sur le site américain',
    'Online sul sito statunitense',
    'Activo en el sitio estadounidense',
    'Online op de Amerikaanse site',
    'Aktywna na amerykańskiej stronie',
  ]);
});

test('a finished batch keeps its total and says how many listings need the person', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await page.evaluate(() => (window.fake.beatMs = 5));
  await page.getByRole('button', { name: /Select all ready to review/ }).click();
  await page.getByRole('button', { name: /^Publish \d+…/ }).click();
  const prompt = page.getByRole('dialog');
  await expect(prompt.getByRole('heading', { level: 2 })).toHaveText('Publish 6 listings');
  await prompt.getByRole('checkbox', { name: /^Publish Film camera no. 6/ }).uncheck();
  await expect(prompt.getByRole('heading', { level: 2 })).toHaveText('Publish 5 of 6');
  await prompt.getByRole('checkbox', { name: /^Publish Film camera no. 6/ }).check();
  await prompt.getByRole('button', { name: /^Publish 6 for/ }).click();
  await expect(page.getByRole('dialog', { name: '5 are live, 1 needs you' })).toBeVisible();
  await expect(prompt.getByRole('button', { name: 'Close' })).toBeVisible();
  await expect(prompt.getByRole('table', { name: 'Marketplace fees' }).getByRole('row').first()).toContainText('US$');
});

test('a row that cannot be published shows the photo of its item', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await page.getByRole('button', { name: /Select all ready to review/ }).click();
  await page.getByRole('button', { name: /^Publish \d+…/ }).click();
  const blocked = page.getByRole('dialog').getByRole('listitem').nth(9);
  await expect(blocked).toContainText('Shipping needs the packed weight');
  await expect(blocked.locator('img')).toHaveAttribute('src', /./);
});
