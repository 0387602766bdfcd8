import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bwipjs from 'bwip-js/node';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { countDifferingBits } from '../../../../src/core/photos/photoLikeness.ts';
import { warnings } from '../../../../src/photoContract/messages.ts';
import { photoWarnings } from '../../../../src/photoContract/constants.ts';
import { expectPrepared, startWorkers, createTempDir } from '../../../helpers/photos/photoWorld.ts';
import { createRandom } from '../../../helpers/createRandom.ts';

/** Draws things with edges in front of a plain wall. */
const drawScene = (wall = '#b8b2a8', thing = '#7a3b2e'): Sharp =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900"><rect width="1200" height="900" fill="${wall}"/>
    ${Array.from({ length: 30 }, (_, i) => `<rect x="${300 + (i % 6) * 100}" y="${200 + Math.floor(i / 6) * 100}" width="70" height="60" fill="${i % 2 ? thing : '#3c5a70'}"/>`).join('')}
    <path d="M350 250l400 300M750 250l-400 300" stroke="#222" stroke-width="6"/></svg>`),
  ).removeAlpha();

const preparePicture = async (picture: Sharp, name = 'photo.jpg') => {
  const { workers, outDir } = await startWorkers({ size: 1 });
  const source = join(await createTempDir(), name);
  await writeFile(source, await picture.jpeg({ quality: 92 }).toBuffer());
  return expectPrepared(await workers.prepare({ source, outDir }));
};

describe('photo quality', () => {
  test('has no warnings for a sharp, well lit photo', async () => {
    const photo = await preparePicture(drawScene());
    expect(photo.warnings).toEqual([]);
    expect(photo.looks.sharpness).toBeGreaterThan(40);
    expect(photo.looks.exposure).toBeGreaterThan(100);
    expect(photo.sheet).toBe(false);
  });

  test('has the warning "blurred" for a blurred photo', async () => {
    expect((await preparePicture(drawScene().blur(9))).warnings).toEqual(['blurred']);
  });

  test('has no warning for a sharp item in front of a blurred background', async () => {
    const item = await drawScene().extract({ left: 400, top: 250, width: 300, height: 300 }).png().toBuffer();
    const behind = await drawScene().blur(15).png().toBuffer();
    expect((await preparePicture(sharp(behind).composite([{ input: item }]))).warnings).toEqual([]);
  });

  test('has warnings for very dark, very bright and small photos', async () => {
    expect((await preparePicture(drawScene().linear(0.2, 0))).warnings).toContain('very_dark');
    expect((await preparePicture(drawScene().linear(0.15, 215))).warnings).toContain('very_bright');
    expect((await preparePicture(drawScene().resize(480))).warnings).toEqual(['small']);
  });

  test('has no warnings for a dark item on white or a white wall behind an item', async () => {
    expect((await preparePicture(drawScene('#ffffff', '#101010'))).warnings).toEqual([]);
    expect((await preparePicture(drawScene('#f4f4f4', '#dddddd'))).warnings).toEqual([]);
  });

  test('has a calm sentence for every warning', () => {
    for (const warning of photoWarnings) expect(warnings[warning]).toMatch(/^[A-Z][^!]*\.$/);
  });
});

test('a sheet of paper is distinguished from an item on a white background', async () => {
  const sheet = (marks: string) =>
    sharp(
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="#5a4632"/>
      <rect x="60" y="40" width="680" height="520" fill="#e6e4df"/>${marks}</svg>`),
    ).removeAlpha();
  expect((await preparePicture(sheet(''))).sheet).toBe(true);
  const word =
    '<path d="M250 250h40v80h-40zM330 250h40M330 250v80M420 250l30 80l30-80" stroke="#223" stroke-width="6" fill="none"/>';
  expect((await preparePicture(sheet(word))).sheet).toBe(true);
  expect((await preparePicture(drawScene('#ffffff'))).sheet).toBe(false);
});

test('a card of half the width of the photo is paper, and the folds of a white garment are not', async () => {
  const drawOnTable = (things: string) =>
    sharp(
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1200"><defs><linearGradient id="lamp">
      <stop offset="0" stop-opacity="0"/><stop offset="1" stop-opacity="0.2"/></linearGradient></defs>
      <rect width="900" height="1200" fill="#5a4632"/>${things}<rect width="900" height="1200" fill="url(#lamp)"/></svg>`),
    ).removeAlpha();
  const card =
    '<rect x="225" y="300" width="460" height="600" fill="#e6e4df"/><path d="M400 480h90v240" stroke="#223" stroke-width="24" fill="none"/>';
  expect((await preparePicture(drawOnTable(card))).sheet).toBe(true);
  const folds = Array.from(
    { length: 9 },
    (_, at) => `<path d="M${at * 110} 0q90 600 -60 1200" stroke="#b9b6ae" stroke-width="40" fill="none"/>`,
  );
  const garment = `<rect width="900" height="1200" fill="#ece9e2"/>${folds.join('')}`;
  expect((await preparePicture(drawOnTable(garment).blur(6))).sheet).toBe(false);
});

test('a resaved copy has a similar hash, and a different photo has a different hash', async () => {
  const plain = await preparePicture(drawScene());
  const again = await preparePicture(drawScene().resize(700).modulate({ brightness: 1.06 }));
  const random = createRandom(5);
  const dots = Array.from(
    { length: 60 },
    () =>
      `<circle cx="${random() * 1200}" cy="${random() * 900}" r="${20 + random() * 120}" fill="hsl(${random() * 360} 60% 50%)"/>`,
  );
  const other = await preparePicture(
    sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900">${dots.join('')}</svg>`)),
  );
  expect(plain.hash64).toMatch(/^[0-9a-f]{16}$/);
  expect(countDifferingBits(plain.hash64, again.hash64)).toBeLessThanOrEqual(6);
  expect(countDifferingBits(plain.hash64, other.hash64)).toBeGreaterThan(12);
  expect(countDifferingBits('0000000000000000', 'ffffffffffffffff')).toBe(64);
});

describe('barcodes', () => {
  const label = async (bcid: string, text: string, scale: number): Promise<Buffer> =>
    bwipjs.toBuffer({ bcid, text, scale, height: 18, backgroundcolor: 'ffffff', padding: 6, includetext: true });

  test.for([
    ['ean13', '4006381333931', 'EAN-13'],
    ['ean13', '9780306406157', 'EAN-13'],
    ['upca', '036000291452', 'UPC-A'],
    ['ean8', '73513537', 'EAN-8'],
  ] as const)('the barcode %s %s is read as %s, upright and sideways', async ([bcid, text, format]) => {
    const code = await label(bcid, text, 3);
    for (const angle of [0, 90]) {
      const input = await sharp(code).rotate(angle).png().toBuffer();
      const photo = await preparePicture(drawScene().composite([{ input, left: 120, top: 160 }]));
      expect(photo.barcodes).toEqual([{ value: text, format }]);
    }
  });

  test('a product barcode is read beside more labels than the limit of product barcodes', async () => {
    const labels = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => ({
        input: await label('code128', `A04-${at}`, 2),
        left: 60 + (at % 2) * 560,
        top: 30 + Math.floor(at / 2) * 220,
      })),
    );
    const product = { input: await label('ean13', '4006381333931', 3), left: 300, top: 690 };
    const photo = await preparePicture(drawScene().composite([...labels, product]));
    expect(photo.barcodes).toEqual([{ value: '4006381333931', format: 'EAN-13' }]);
    expect(photo.labelTexts.toSorted()).toEqual(['A04-0', 'A04-1', 'A04-2', 'A04-3', 'A04-4', 'A04-5']);
  });

  test('a large label is read in a blurred and noisy photo', async () => {
    const random = createRandom(7);
    const noise = Buffer.from(Uint8Array.from({ length: 1_600 * 1_200 }, () => 128 + (random() - 0.5) * 80));
    const code = await sharp(await label('code128', 'A04-12', 4))
      .resize(800)
      .toBuffer();
    const blurred = await sharp(
      await drawScene()
        .resize(1_600)
        .composite([{ input: code }])
        .png()
        .toBuffer(),
    )
      .blur(2.5)
      .png()
      .toBuffer();
    const input = await sharp(noise, { raw: { width: 1_600, height: 1_200, channels: 1 } })
      .png()
      .toBuffer();
    const photo = await preparePicture(
      sharp(blurred)
        .linear(0.7, 30)
        .composite([{ input, blend: 'soft-light' }]),
    );
    expect(photo.labelTexts).toEqual(['A04-12']);
  });

  test('a barcode too small in the prepared photo is read from the original', async () => {
    const { workers, outDir } = await startWorkers({ size: 1 });
    const source = join(await createTempDir(), 'shelf.jpg');
    const input = await label('ean13', '4006381333931', 2);
    await writeFile(
      source,
      await sharp(await drawScene().resize(6_000).jpeg().toBuffer())
        .composite([{ input, left: 2_000, top: 300 }])
        .jpeg({ quality: 92 })
        .toBuffer(),
    );
    expect(expectPrepared(await workers.prepare({ source, outDir })).barcodes).toEqual([]);
    expect(await workers.readBarcodes({ source })).toEqual([{ value: '4006381333931', format: 'EAN-13' }]);
    expect(await workers.readBarcodes({ source: join(outDir, 'gone.jpg') })).toEqual([]);
  });
});
