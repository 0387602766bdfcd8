/** Pixels in memory: eight bits per channel, rows without padding. */
export type Pixels = { data: Uint8Array; width: number; height: number; channels: 3 | 4 };

/** The brightness of pixels: one byte each, rows without padding. */
export type GreyPixels = { data: Uint8Array; width: number; height: number };

export const describeRawInput = ({ width, height, channels }: Pixels) =>
  ({ raw: { width, height, channels }, limitInputPixels: false }) as const;

/** Narrows the number of channels. Throws on anything but RGB and RGBA, which is a bug of the caller. */
export const toPixels = (
  data: Uint8Array,
  { width, height, channels }: { width: number; height: number; channels: number },
): Pixels => {
  if (channels !== 3 && channels !== 4) throw new Error(`Expected RGB or RGBA pixels, not ${channels} channels.`);
  return { data, width, height, channels };
};

/** Returns the green channel, which approximates brightness: twice as fast as weighing all three. */
export const toGreyPixels = ({ data, width, height, channels }: Pixels): GreyPixels => {
  const grey = new Uint8Array(width * height);
  for (let at = 0, from = 1; at < grey.length; at += 1, from += channels) grey[at] = data[from] ?? 0;
  return { data: grey, width, height };
};

/** Halves width and height; each pixel is the mean of four. */
export const halveGreyPixels = ({ data, width, height }: GreyPixels): GreyPixels => {
  const [wide, high] = [width >> 1, height >> 1];
  const half = new Uint8Array(wide * high);
  for (let y = 0, at = 0; y < high; y += 1) {
    for (let x = 0, from = 2 * y * width; x < wide; x += 1, from += 2, at += 1) {
      const above = (data[from] ?? 0) + (data[from + 1] ?? 0);
      half[at] = (above + (data[from + width] ?? 0) + (data[from + width + 1] ?? 0) + 2) >> 2;
    }
  }
  return { data: half, width: wide, height: high };
};

/** What a decoder needs from its caller: permission for the photo's pixels, and the size of the result. */
export type DecodeLimits = {
  /** Resolves when this many pixels may be decoded. */
  admit: (pixels: number) => Promise<void>;
  /** Returns the long edge to shrink to, for a photo of this upright size. */
  longEdgeOf: (original: { width: number; height: number }) => number;
};

/**
 * A decoded photo, upright and small, still in the colours of its profile (null: sRGB). `original` is the upright size
 * of the original; `exif` is set if it was already read.
 */
export type ShrunkPhoto = {
  pixels: Pixels;
  icc: Uint8Array | null;
  original: { width: number; height: number };
  exif?: Buffer | undefined;
};
