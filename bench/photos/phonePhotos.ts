import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const [width, height] = [4032, 3024];
const grainSize = 509;

const randomFrom = (seed: number) => {
  let state = seed >>> 0 || 1;
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const drawGrain = async (random: () => number): Promise<Int8Array> => {
  const bell = (): number => (random() + random() + random() + random() - 2) * 26;
  const raw = Buffer.from(Uint8Array.from({ length: grainSize ** 2 }, () => 128 + bell()));
  const soft = await sharp(raw, { raw: { width: grainSize, height: grainSize, channels: 1 } })
    .blur(0.6)
    .raw()
    .toBuffer();
  return Int8Array.from(soft.subarray(0, grainSize ** 2), (value) => value - 128);
};

/** Draws a scene with hundreds of edges. A third of the full size is ten times as fast. */
const drawScene = (random: () => number): Promise<Buffer> => {
  const number = (most: number): number => Math.round(random() * most);
  const colour = (): string => `hsl(${number(360)} ${20 + number(60)}% ${25 + number(55)}%)`;
  const shapes = Array.from({ length: 260 }, () =>
    random() < 0.5
      ? `<rect x="${number(4000)}" y="${number(3000)}" width="${20 + number(500)}" height="${20 + number(400)}" fill="${colour()}"/>`
      : `<circle cx="${number(4000)}" cy="${number(3000)}" r="${10 + number(260)}" fill="${colour()}"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width / 3}" height="${height / 3}" viewBox="0 0 ${width} ${height}">
    <defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${colour()}"/><stop offset="1" stop-color="${colour()}"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().resize(width, height).raw().toBuffer();
};

const grained = (pixels: Buffer, grain: Int8Array): Buffer => {
  for (let y = 0, at = 0; y < height; y += 1) {
    const row = (y % grainSize) * grainSize;
    for (let x = 0; x < width; x += 1) {
      const noise = grain[row + (x % grainSize)] ?? 0;
      for (let channel = 0; channel < 3; channel += 1, at += 1) {
        pixels[at] = Math.max(0, Math.min(255, (pixels[at] ?? 0) + noise));
      }
    }
  }
  return pixels;
};

/** Adds EXIF with only the orientation to a JPEG. */
const held = (jpeg: Buffer, orientation: number): Buffer => {
  const exif = Buffer.from('ffe1002245786966000049492a0008000000010012010300010000000000000000000000', 'hex');
  exif.writeUInt16LE(orientation, 28);
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
};

const orientations = [1, 6, 1, 3, 1, 6, 8, 1];
/** Half of the photos use Display P3, like photos of iPhones. */
const profiles = ['p3', undefined, 'p3', 'srgb', 'p3', undefined, 'p3', undefined];

/**
 * Draws photos that resemble phone photos: 12 megapixels, noise, about 4 MB, EXIF orientation and mixed colour profiles.
 * Every call draws the same photos. Returns their paths.
 */
export const drawPhonePhotos = async (folder: string, count: number): Promise<string[]> => {
  const random = randomFrom(1);
  const grain = await drawGrain(random);
  const paths: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const pixels = grained(await drawScene(random), grain);
    const photo = sharp(pixels, { raw: { width, height, channels: 3 } });
    const profile = profiles[index % profiles.length];
    if (profile) photo.withIccProfile(profile);
    const jpeg = await photo.jpeg({ quality: 92, chromaSubsampling: '4:2:0' }).toBuffer();
    const path = join(folder, `IMG_${1000 + index}.jpg`);
    await writeFile(path, held(jpeg, orientations[index % orientations.length] ?? 1));
    paths.push(path);
  }
  return paths;
};
