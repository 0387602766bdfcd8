import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bwipjs from 'bwip-js/node';
import sharp from 'sharp';

/** Pictures of items with exactly known text, drawn for the tests. */

const escapeText = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

type Line = { text: string; size: number; y: number; fill?: string; weight?: string };

const buildText = ({ text, size, y, fill = '#1b1b1b', weight = 'bold' }: Line): string =>
  `<text x="600" y="${y}" font-family="DejaVu Sans" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="middle">${escapeText(text)}</text>`;

const buildDrawing = (ground: string, item: string, lines: readonly Line[]): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1500">
    <rect width="1200" height="1500" fill="${ground}"/>
    <rect x="130" y="120" width="940" height="1260" rx="12" fill="${item}"/>
    ${lines.map(buildText).join('')}
  </svg>`);

export type Drawn = { folder: string; remove: () => Promise<void> };

export const drawingFolder = async (): Promise<Drawn> => {
  const folder = await mkdtemp(join(tmpdir(), 'drawn-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
};

/** Draws one side of an item as a JPEG and returns its path. */
export const drawSide = async (
  folder: string,
  name: string,
  { ground = '#d9d4c8', item = '#f2efe6', lines = [] as readonly Line[] },
): Promise<string> => {
  const path = join(folder, `${name}.jpg`);
  await sharp(buildDrawing(ground, item, lines))
    .jpeg({ quality: 88 })
    .toFile(path);
  return path;
};

/** Draws a back side with a barcode of this kind. */
export const drawBack = async (
  folder: string,
  name: string,
  code: { bcid: 'ean13' | 'upca' | 'isbn'; text: string },
  lines: readonly Line[] = [],
): Promise<string> => {
  const path = join(folder, `${name}.jpg`);
  const bars = await bwipjs.toBuffer({
    ...code,
    scale: 4,
    height: 18,
    includetext: true,
    backgroundcolor: 'ffffff',
    padding: 6,
  });
  await sharp(buildDrawing('#d9d4c8', '#f2efe6', lines))
    .composite([{ input: bars, left: 380, top: 1000 }])
    .jpeg({ quality: 88 })
    .toFile(path);
  return path;
};

export const drawBookFront = (folder: string): Promise<string> =>
  drawSide(folder, 'book-front', {
    item: '#24506e',
    lines: [
      { text: 'THE SILENT', size: 120, y: 420, fill: '#fff' },
      { text: 'GARDEN', size: 120, y: 560, fill: '#fff' },
      { text: 'A Novel', size: 56, y: 700, fill: '#f0d890', weight: 'normal' },
      { text: 'Anna Bergström', size: 76, y: 1240, fill: '#fff', weight: 'normal' },
    ],
  });

export const drawBookBack = (folder: string): Promise<string> =>
  drawBack(folder, 'book-back', { bcid: 'isbn', text: '978-0-14-001399-3' }, [
    { text: 'A house by the sea, a locked door', size: 42, y: 330, weight: 'normal' },
    { text: 'and a letter that was never sent.', size: 42, y: 400, weight: 'normal' },
    { text: 'Harbour Press', size: 44, y: 700 },
  ]);

export const drawHeadphoneBox = (folder: string): Promise<string> =>
  drawSide(folder, 'box-front', {
    item: '#1d1d21',
    lines: [
      { text: 'NORDKLANG', size: 118, y: 340, fill: '#fff' },
      { text: 'Wireless Over-Ear Headphones', size: 52, y: 480, fill: '#ddd', weight: 'normal' },
      { text: 'Noise Cancelling', size: 52, y: 570, fill: '#ddd', weight: 'normal' },
      { text: 'Model: NK-450BT', size: 50, y: 1260, fill: '#fff' },
    ],
  });

export const drawHeadphoneBack = (folder: string): Promise<string> =>
  drawBack(folder, 'box-back', { bcid: 'ean13', text: '4006381333931' }, [
    { text: 'Bluetooth 5.2   40 h battery', size: 46, y: 420, weight: 'normal' },
  ]);

export const drawPlainThing = (folder: string): Promise<string> =>
  drawSide(folder, 'plain', { ground: '#e9e9ec', item: '#6b4423' });
