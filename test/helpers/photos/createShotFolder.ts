import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** A camera photo: seconds after noon, or null without a time. Photos of one `thing` have one colour. */
export type TestShot = { atS: number | null; camera?: string; seed?: number; thing?: number };

const two = (value: number): string => String(value).padStart(2, '0');
const formatTime = (atS: number): string => {
  const s = 12 * 3600 + atS;
  return `2026:05:18 ${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
};

/** Draws twelve dark and light blocks, different for each seed. */
const drawBlocks = (seed: number, thing: number): Buffer => {
  const blocks = Array.from({ length: 48 }, (_, at) => {
    const light = (Math.imul(seed * 48 + at + 1, 0x9e3779b1) >>> 20) % 90;
    return `<rect x="${(at % 8) * 80}" y="${Math.floor(at / 8) * 80}" width="80" height="80" fill="hsl(${thing * 70} 40% ${light}%)"/>`;
  });
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">${blocks.join('')}</svg>`);
};

/** Creates a folder of drawn photos with EXIF times and cameras, named IMG_1.jpg, IMG_2.jpg and so on. */
export const createShotFolder = async (parent: string, name: string, shots: readonly TestShot[]): Promise<string> => {
  const path = join(parent, name);
  await mkdir(path, { recursive: true });
  for (const [index, { atS, camera, seed = index + 1, thing = 0 }] of shots.entries()) {
    const picture = sharp(drawBlocks(seed, thing)).withExif({
      IFD0: camera === undefined ? {} : { Model: camera },
      IFD2: atS === null ? {} : { DateTimeOriginal: formatTime(atS) },
    });
    await writeFile(join(path, `IMG_${index + 1}.jpg`), await picture.jpeg({ quality: 85 }).toBuffer());
  }
  return path;
};

/** Returns shots of several things, a few seconds apart, with a longer pause between things. */
export const createShots = (counts: readonly number[], pauseS = 120): TestShot[] => {
  let atS = 0;
  return counts.flatMap((count, thing) => {
    if (thing > 0) atS += pauseS;
    return Array.from({ length: count }, () => ({ atS: (atS += 5), thing }));
  });
};
