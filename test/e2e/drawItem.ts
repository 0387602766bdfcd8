import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import type { TestInfo } from 'playwright/test';
import type { Host } from './host.ts';
import { answerAfterGeneration } from './practiceControl.ts';

const buildBoxSvg = (lines: readonly string[], hue: number): string => {
  const texts = lines.map(
    (line, at) => `<text x="800" y="${520 + at * 190}" font-size="150" text-anchor="middle" fill="#111">${line}</text>`,
  );
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" viewBox="0 0 1600 1200" font-family="DejaVu Sans, sans-serif">' +
    `<rect width="1600" height="1200" fill="hsl(${hue},25%,88%)"/>` +
    `<rect x="150" y="220" width="1300" height="760" rx="40" fill="#f7f5ef" stroke="#777" stroke-width="8"/>` +
    `${texts.join('')}</svg>`
  );
};

/** Too low for text recognition. */
const buildStripSvg = (hue: number, at: number): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="44">' +
  `<rect width="300" height="44" fill="hsl(${hue},25%,88%)"/>` +
  `<rect x="${at}" y="8" width="80" height="28" fill="hsl(${hue},40%,30%)"/></svg>`;

const drawTwoPhotos = async (folder: string, drawing: (hue: number) => string): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  for (const [at, hue] of [30, 200].entries()) {
    await sharp(Buffer.from(drawing(hue)))
      .jpeg({ quality: 88 })
      .toFile(join(folder, `IMG_000${at + 1}.jpg`));
  }
};

/** Draws a folder with two photos of a box with these words printed on it. */
export const drawItem = (folder: string, words: readonly string[]): Promise<void> =>
  drawTwoPhotos(folder, (hue) => buildBoxSvg(words, hue));

/**
 * Draws a folder with two photos without text, different for each folder name. Text recognition takes much of a host's
 * time per item, so tests that do not need it avoid it.
 */
export const drawTextlessItem = (folder: string): Promise<void> => {
  const place = [...basename(folder)].reduce((sum, letter) => (sum * 7 + letter.charCodeAt(0)) % 200, 0);
  return drawTwoPhotos(folder, (hue) => buildStripSvg(hue, place));
};

/** Starts with an empty shop and drops one item that has no text except its folder name. */
export const dropCamera = async ({ page, dropFolder }: Host, info: TestInfo): Promise<void> => {
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await answerAfterGeneration(page);
  const folder = info.outputPath('Canon EOS 250D camera');
  await drawTextlessItem(folder);
  await dropFolder(folder);
};
