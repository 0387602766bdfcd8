import sharp from 'sharp';
import { pickBetween, pickWhole, type Random } from '../createRandom.ts';

/** What a seller photographs of one item. */
export type View = 'front' | 'back' | 'brand' | 'close' | 'defect';

/** The light of one photo: brightness as a factor, and warmth from -1 (blue) to 1 (yellow). */
export type Light = { level: number; warmth: number };

/** Draws one view of an item on a table, in the given light. */
export type DrawView = (random: Random, view: View, light: Light) => Promise<Buffer>;

/** Returns how to draw another item. If `isAlike` is true, the item resembles the previous one. */
export type PickItem = (random: Random, isAlike: boolean) => Promise<DrawView>;

const [width, height] = [320, 427];

type Garment = {
  kind: number;
  hue: number;
  tint: number;
  light: number;
  print: number;
  printHue: number;
  folds: number;
};

const outlines: readonly string[] = [
  // A shirt, trousers, a dress, a jacket, a shoe.
  'M-70 -120 L-130 -70 L-105 -25 L-75 -45 L-75 130 H75 V-45 L105 -25 L130 -70 L70 -120 Q0 -90 -70 -120 Z',
  'M-70 -140 H70 L90 150 H25 L0 -60 L-25 150 H-90 Z',
  'M-45 -140 H45 L50 -50 L110 150 H-110 L-50 -50 Z',
  'M-75 -125 L-140 60 L-100 70 L-80 -20 V140 H80 V-20 L100 70 L140 60 L75 -125 L0 -100 Z',
  'M-130 40 Q-120 -30 -60 -30 L-20 -70 H20 Q30 0 130 25 Q150 70 120 75 H-130 Z',
];

const drawFolds = (random: Random, { folds }: Garment): string =>
  Array.from({ length: folds }, () => {
    const [x, y] = [pickBetween(random, -110, 110), pickBetween(random, -130, 130)];
    const shade = random() < 0.5 ? '#000' : '#fff';
    return `<path d="M${x} ${y} q${pickBetween(random, -50, 50)} 30 ${pickBetween(random, -40, 40)} ${pickBetween(random, 50, 110)}"
      stroke="${shade}" stroke-opacity="${pickBetween(random, 0.06, 0.2)}" stroke-width="${pickBetween(random, 6, 20)}" fill="none"/>`;
  }).join('');

const drawPrint = ({ print, printHue }: Garment, view: View): string => {
  const fill = `fill="hsl(${printHue} 55% 50%)"`;
  if (print === 1)
    return Array.from(
      { length: 9 },
      (_, at) => `<rect x="-150" y="${at * 34 - 145}" width="300" height="12" ${fill}/>`,
    ).join('');
  if (print === 2 && view !== 'back') return `<rect x="-35" y="-50" width="70" height="60" rx="12" ${fill}/>`;
  if (print === 3)
    return Array.from(
      { length: 40 },
      (_, at) => `<circle cx="${(at % 8) * 36 - 126}" cy="${Math.floor(at / 8) * 60 - 130}" r="8" ${fill}/>`,
    ).join('');
  return '';
};

/** The place and the magnification of the part of an item that a view shows. */
const aimView = (random: Random, view: View): { x: number; y: number; scale: number; turn: number } => {
  const sway = pickBetween(random, -9, 9);
  if (view === 'front' || view === 'back')
    return {
      x: pickBetween(random, -14, 14),
      y: pickBetween(random, -14, 14),
      scale: pickBetween(random, 0.75, 1.15),
      turn: sway,
    };
  if (view === 'brand')
    return {
      x: pickBetween(random, -15, 15),
      y: pickBetween(random, -105, -80),
      scale: pickBetween(random, 2.6, 4),
      turn: 2 * sway,
    };
  return {
    x: pickBetween(random, -60, 60),
    y: pickBetween(random, -70, 80),
    scale: pickBetween(random, 1.8, 3.4),
    turn: 4 * sway,
  };
};

const drawBrandLabel = (random: Random): string =>
  `<rect x="-14" y="-104" width="28" height="17" fill="${random() < 0.6 ? '#f2f0ea' : '#1c1c22'}"/>
   <path d="M-9 -98 h18 M-9 -93 h12" stroke="#777" stroke-width="2"/>`;

const drawGarmentView =
  (garment: Garment, table: { hue: number; light: number }): DrawView =>
  async (random, view, light) => {
    const { x, y, scale, turn } = aimView(random, view);
    const outline = outlines[garment.kind] ?? '';
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><clipPath id="c"><path d="${outline}"/></clipPath></defs>
    <rect width="${width}" height="${height}" fill="hsl(${table.hue} 22% ${table.light}%)"/>
    <g transform="translate(${width / 2} ${height / 2}) rotate(${turn}) scale(${scale}) translate(${-x} ${-y})">
      <g clip-path="url(#c)"><path d="${outline}" fill="hsl(${garment.hue} ${garment.tint}% ${garment.light}%)"/>
      ${drawPrint(garment, view)}${drawFolds(random, garment)}</g>
      ${view === 'brand' || view === 'front' ? drawBrandLabel(random) : ''}
      ${view === 'defect' ? `<circle cx="${x}" cy="${y}" r="7" fill="#403018" opacity="0.6"/>` : ''}
    </g></svg>`;
    return lightPicture(await sharp(Buffer.from(svg)).removeAlpha().png().toBuffer(), random, light);
  };

const usualMean = 115;

/** Applies the light, the automatic exposure and white balance of a camera, and JPEG. */
export const lightPicture = async (picture: Buffer, random: Random, { level, warmth }: Light): Promise<Buffer> => {
  const { channels } = await sharp(picture).stats();
  const mean = channels.reduce((sum, channel) => sum + channel.mean, 0) / channels.length;
  const exposure =
    level * pickBetween(random, 0.93, 1.07) * (usualMean / Math.max(15, mean)) ** pickBetween(random, 0, 0.25);
  const tint = warmth * 0.06 + pickBetween(random, -0.025, 0.025);
  return sharp(picture)
    .linear([exposure * (1 + tint), exposure, exposure * (1 - tint)], [0, 0, 0])
    .jpeg({ quality: 82 })
    .toBuffer();
};

/** Many garments are white, grey or black. */
const drawGarmentFacts = (random: Random): Garment => {
  const isGrey = random() < 0.45;
  return {
    kind: pickWhole(random, 0, outlines.length - 1),
    hue: pickWhole(random, 0, 359),
    tint: isGrey ? pickWhole(random, 0, 10) : pickWhole(random, 25, 60),
    light: isGrey
      ? random() < 0.5
        ? pickWhole(random, 78, 92)
        : pickWhole(random, 10, 45)
      : pickWhole(random, 22, 62),
    print: random() < 0.5 ? 0 : pickWhole(random, 1, 3),
    printHue: pickWhole(random, 0, 359),
    folds: pickWhole(random, 3, 9),
  };
};

/** Draws garments on one table. */
export const createDrawnGarments = (random: Random, kind?: number): PickItem => {
  const table = { hue: pickWhole(random, 0, 359), light: pickWhole(random, 45, 85) };
  let previous = drawGarmentFacts(random);
  return async (next, isAlike) => {
    const other = drawGarmentFacts(next);
    const alike = {
      ...previous,
      hue: previous.hue + pickBetween(next, -15, 15),
      light: previous.light + pickBetween(next, -6, 6),
      print: other.print,
    };
    previous = { ...(isAlike ? alike : other), ...(kind === undefined ? {} : { kind }) };
    return drawGarmentView(previous, table);
  };
};
