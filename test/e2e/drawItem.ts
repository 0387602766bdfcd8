import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const drawing = (lines: readonly string[], hue: number): Buffer => {
  const texts = lines.map(
    (line, at) => `<text x="800" y="${520 + at * 190}" font-size="150" text-anchor="middle" fill="#111">${line}</text>`,
  );
  return Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200" font-family="DejaVu Sans, sans-serif">' +
      `<rect width="1600" height="1200" fill="hsl(${hue},25%,88%)"/>` +
      `<rect x="150" y="220" width="1300" height="760" rx="40" fill="#f7f5ef" stroke="#777" stroke-width="8"/>` +
      `${texts.join('')}</svg>`,
  );
};

/** Draws a folder with two photos of a boxed thing that bears the given words. */
export const drawItem = async (folder: string, words: readonly string[]): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  for (const [at, hue] of [30, 200].entries()) {
    await sharp(drawing(words, hue))
      .jpeg({ quality: 88 })
      .toFile(join(folder, `IMG_000${at + 1}.jpg`));
  }
};
