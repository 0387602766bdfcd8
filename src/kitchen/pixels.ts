export type Pixels = { data: Uint8Array; width: number; height: number; channels: 3 | 4 };

/** Pixels with samples of 8 to 16 bits. `maxValue` is the value of a full sample. */
export type DeepPixels = Omit<Pixels, 'data'> & { data: Uint8Array | Uint16Array; maxValue: number };

export type GreyPixels = { data: Uint8Array; width: number; height: number };

export const toRawInputOptions = ({ width, height, channels }: Omit<Pixels, 'data'>) =>
  ({ raw: { width, height, channels }, limitInputPixels: false }) as const;

/** Throws if the pixels are neither RGB nor RGBA, which is an error of the caller. */
export const toPixels = (
  data: Uint8Array,
  { width, height, channels }: { width: number; height: number; channels: number },
): Pixels => {
  if (channels !== 3 && channels !== 4) throw new Error(`Expected RGB or RGBA pixels, not ${channels} channels.`);
  return { data, width, height, channels };
};

/** Returns the green channel, which is close to the brightness. Computing the real brightness takes twice as long. */
export const toGreyPixels = ({ data, width, height, channels }: Pixels): GreyPixels => {
  const grey = new Uint8Array(width * height);
  for (let at = 0, from = 1; at < grey.length; at += 1, from += channels) grey[at] = data[from] ?? 0;
  return { data: grey, width, height };
};

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

/** `isAlone` means that no other photo of the process is in work. */
export type DecodeTurn = { admit: (pixels: number) => Promise<void>; isAlone: boolean };

export type DecodeLimits = DecodeTurn & { longEdgeOf: (original: { width: number; height: number }) => number };

/**
 * A small upright photo before its colours are converted. `icc` is its colour profile; null if the pixels are sRGB.
 * `original` is the upright size of the original.
 */
export type ShrunkPhoto = {
  pixels: Pixels;
  icc: Uint8Array | null;
  original: { width: number; height: number };
  exif?: Buffer | undefined;
};
