import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** A folder with drawn photos, large enough to be taken; each has another colour. */
export const drawnFolder = async (parent: string, name: string, photos = 2): Promise<string> => {
  const path = join(parent, name);
  await mkdir(path, { recursive: true });
  for (let index = 0; index < photos; index += 1) {
    await writeFile(join(path, `IMG_${index + 1}.jpg`), await picture(name.length * 31 + index));
  }
  return path;
};

const picture = async (seed: number): Promise<Buffer> => {
  const hue = (seed * 47) % 360;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600">
    <rect width="800" height="600" fill="hsl(${hue} 30% 85%)"/>
    <circle cx="${200 + (seed % 5) * 80}" cy="300" r="160" fill="hsl(${(hue + 180) % 360} 60% 40%)"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 85 }).toBuffer();
};
