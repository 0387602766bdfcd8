import sharp from 'sharp';

/** One decoded picture: upright, sRGB, four bytes a pixel on a white ground. */
export type Picture = { data: Buffer; width: number; height: number };

// What the service accepts, plus what a person's folder may hold when the writer runs on its own.
const readable = new Set(['jpeg', 'png', 'webp', 'heif', 'tiff']);

// A phone's largest photo; a bomb of 900 megapixels is refused from its header.
const limitInputPixels = 120e6;

sharp.cache(false);
sharp.concurrency(1);

const open = (path: string) => sharp(path, { limitInputPixels, failOn: 'error', pages: 1 });

/**
 * The picture in a file, at most `longestSide` pixels long; rejects when the file is no photo.
 * The kind is taken from the content: sharp would also draw an SVG that is named like a photo.
 */
export const openPicture = async (path: string, longestSide?: number): Promise<Picture> => {
  const { format } = await open(path).metadata();
  if (!readable.has(format)) throw new Error(`A ${format} file is not a photo.`);
  const upright = open(path).autoOrient();
  const sized = longestSide
    ? upright.resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    : upright;
  const { data, info } = await sized
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

// Enough for a model to see what the thing is; larger pictures only cost more.
const smallSide = 1024;

/** A photo as a small JPEG, upright and without the camera's notes: no place, no time, no maker. */
export const shrinkPhoto = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
  const { data, width, height } = await openPicture(path, smallSide);
  const jpeg = await sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality: 82 })
    .toBuffer();
  return new Uint8Array(jpeg);
};

/** The stored size of a picture, read from its header alone. */
export const readSize = async (path: string): Promise<{ width: number; height: number }> => {
  const { width, height } = await open(path).metadata();
  return { width, height };
};

/** The picture's brightness, one byte a pixel, at most `longestSide` long. */
export const toGrey = async (picture: Picture, longestSide: number): Promise<Picture> => {
  const { data, info } = await sharp(picture.data, {
    raw: { width: picture.width, height: picture.height, channels: 4 },
  })
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .removeAlpha()
    .greyscale()
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

/** The picture with its noise smoothed away: some codes printed on film or foil are read only so. */
export const blurPicture = async (picture: Picture): Promise<Picture> => ({
  ...picture,
  data: await sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels: 4 } })
    .blur(0.8)
    .raw()
    .toBuffer(),
});

/** The picture shrunk to a small square of RGB triples. */
export const toTiles = async (picture: Picture, side: number): Promise<Buffer> =>
  sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels: 4 } })
    .removeAlpha()
    .resize(side, side, { fit: 'fill' })
    .raw()
    .toBuffer();

/**
 * How crisp a picture is: the variance of its Laplacian at 512 px.
 * A blurred or empty picture is below about 15, a good photo is in the hundreds.
 */
export const sharpnessOf = async (picture: Picture): Promise<number> => {
  const { data, width, height } = await toGrey(picture, 512);
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const around = data[at - 1]! + data[at + 1]! + data[at - width]! + data[at + width]!;
      const edge = around - 4 * data[at]!;
      sum += edge;
      squares += edge * edge;
      count += 1;
    }
  if (count === 0) return 0;
  return Math.round(squares / count - (sum / count) ** 2);
};
