// Takes the pictures of the README from the real companion with the sample photos: node scripts/readmePictures.mjs
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import sharp from 'sharp';
import { pairAssistant } from '../test/e2e/assistant.ts';
import { findChromium } from '../test/e2e/findChromium.ts';
import { startHeadless, testFlags } from '../test/helpers/hosts/startHeadless.ts';
import { inOtherColours, sampleScenes } from './sampleScenes.mjs';

const folder = join(import.meta.dirname, '..', 'resources', 'readme');
const dataDir = mkdtempSync(join(tmpdir(), 'readme-'));
const card = join(dataDir, 'card', 'DCIM');
const headless = await startHeadless(testFlags(dataDir));
const browser = await chromium.launch({ executablePath: findChromium() });
const page = await browser.newPage({ viewport: { width: 1240, height: 780 }, colorScheme: 'light' });

/** The items: the samples in several colours, with a different number of photos each. */
const things = [0, 45, 90, 135, 180, 225, 270, 315].flatMap((degrees, turn) =>
  Object.values(sampleScenes).map((scenes, nth) =>
    Object.values(scenes)
      .slice(0, 2 + ((turn + nth) % 2))
      .map((svg) => inOtherColours(svg, degrees)),
  ),
);

const fillCard = async () => {
  mkdirSync(card, { recursive: true });
  let taken = Date.UTC(2026, 4, 2, 10, 10);
  for (const [at, scenes] of things.entries()) {
    taken += 100_000 + ((at * 37) % 60) * 1_000;
    for (const [nth, svg] of scenes.entries()) {
      taken += 6_000 + ((at + nth) % 5) * 1_000;
      const time = new Date(taken).toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ');
      await sharp(Buffer.from(svg))
        .flatten()
        .withExif({ IFD2: { DateTimeOriginal: time } })
        .jpeg()
        .toFile(join(card, `IMG_${1000 + at * 10 + nth}.jpg`));
    }
  }
};

const picture = async (name) => {
  // Dismisses messages, moves the pointer away and waits for buttons that are enabled with a delay.
  for (const message of await page.getByRole('alert').getByRole('button').all()) await message.click();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(2_000);
  await page.screenshot({ path: join(folder, `${name}.png`) });
};

try {
  await page.goto(headless.ui);
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await page.getByRole('button', { name: 'Skip the tour' }).click();
  await page.getByRole('button', { name: 'Try with sample photos' }).click();
  await page.waitForFunction(() => document.querySelectorAll('[role=listitem], li').length > 2);
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('button', { name: /^Select all .*3/ }).waitFor({ timeout: 120_000 });
  await page.getByRole('list', { name: 'Items' }).getByRole('link').first().click();
  await page.getByLabel('Title', { exact: true }).waitFor();
  await picture('review');

  await page.getByRole('button', { name: /^Select all/ }).click();
  await page.getByRole('button', { name: /^Publish 3…/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Publish 3/ })
    .waitFor();
  await picture('batch');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  const { call } = await pairAssistant(page, headless.bridge, 'Claude Code');
  const { body } = await call('GET', '/listings');
  const book = body.listings.find(({ title }) => title.includes('Lantern'));
  await page.getByRole('link', { name: 'Items' }).click();
  await call('POST', `/market/publish/${book.listingId}`);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Publish/ })
    .waitFor();
  await picture('receipt');

  await page.keyboard.press('Escape');
  await fillCard();
  await page.getByRole('link', { name: /^Items/ }).click();
  await page.getByRole('button', { name: 'For the next photos' }).click();
  await page.getByRole('checkbox', { name: /^Wait until/ }).click();
  await page.keyboard.press('Escape');
  await page.getByLabel('Choose folders').setInputFiles(join(dataDir, 'card'));
  await page
    .getByRole('link', { name: /grouping/ })
    .or(page.getByRole('button', { name: /grouping/ }))
    .first()
    .click();
  await page.getByText(`${things.length} items found`).waitFor({ timeout: 120_000 });
  await page
    .getByRole('img', { name: 'Still being looked at' })
    .first()
    .waitFor({ state: 'detached', timeout: 240_000 });
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  await picture('sheet');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Assistants' }).click();
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture('assistants');
} finally {
  await browser.close();
  await headless.stop();
  rmSync(dataDir, { recursive: true });
}
