import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** Creates a folder of different drawn photos, large enough to be accepted. */
export const createDrawnFolder = async (parent: string, name: string, photos = 2): Promise<string> => {
  const path = join(parent, name);
  await mkdir(path, { recursive: true });
  for (let index = 0; index < photos; index += 1) {
    await writeFile(join(path, `IMG_${index + 1}.jpg`), await getPicture(name.length * 31 + index));
  }
  return path;
};

const drawn = new Map<number, Promise<Buffer>>();

/** Draws each seed only once per process, because hundreds of stories use the same few photos. */
const getPicture = (seed: number): Promise<Buffer> => {
  const known = drawn.get(seed) ?? drawPicture(seed);
  drawn.set(seed, known);
  return known;
};

const drawPicture = async (seed: number): Promise<Buffer> => {
  const hue = (seed * 47) % 360;
  // Spots at different positions: photos with the same shapes would be taken for copies.
  const spots = Array.from({ length: 24 }, (_, at) => {
    const place = ((seed + 1) * 7919 + at * 104_729) * 2_654_435_761;
    const [x, y] = [Math.abs((place >> 8) % 8), Math.abs((place >> 16) % 6)];
    return `<rect x="${x * 100}" y="${y * 100}" width="100" height="100" fill="hsl(${hue} 40% ${20 + (at % 3) * 20}%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600">
    <rect width="800" height="600" fill="hsl(${hue} 30% 85%)"/>${spots.join('')}
    <circle cx="${200 + (seed % 5) * 80}" cy="300" r="160" fill="hsl(${(hue + 180) % 360} 60% 40%)"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 85 }).toBuffer();
};
