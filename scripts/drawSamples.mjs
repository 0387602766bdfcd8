#!/usr/bin/env node
// Draws the sample items of resources/samples: node scripts/drawSamples.mjs. The pictures are committed.
import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { sampleScenes } from './sampleScenes.mjs';

const out = fileURLToPath(new URL('../resources/samples/', import.meta.url));

/** Metadata like that of a phone. The position is a public square. */
const exif = (index) => ({
  IFD0: { Make: 'Example', Model: 'Example Phone 3' },
  IFD2: { DateTimeOriginal: `2026:03:14 10:${String(20 + index).padStart(2, '0')}:00` },
});
const position = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '52/1 30/1 58/1',
  GPSLongitudeRef: 'E',
  GPSLongitude: '13/1 22/1 39/1',
};

let total = 0;
for (const [item, photos] of Object.entries(sampleScenes)) {
  for (const [index, [name, svg]] of Object.entries(photos).entries()) {
    const file = join(out, item, name);
    mkdirSync(dirname(file), { recursive: true });
    const drawn = await sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
    // A phone that is held upright stores the picture sideways with an orientation tag, like this first photo of the book.
    const lyingDown = name === 'IMG_0412.jpg';
    await sharp(drawn)
      .rotate(lyingDown ? 270 : 0)
      .withExif({ ...exif(index), ...(lyingDown ? { IFD3: position } : {}) })
      .withMetadata({ orientation: lyingDown ? 6 : 1 })
      .jpeg({ quality: 80, mozjpeg: true })
      .toFile(file);
    total += statSync(file).size;
    console.log(`${item}/${name}: ${Math.round(statSync(file).size / 1024)} KB`);
  }
}
console.log(`${Math.round(total / 1024)} KB in all`);
