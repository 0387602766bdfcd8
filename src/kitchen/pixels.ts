/** Pixels in memory: eight bits a channel, rows without padding. */
export type Pixels = { data: Uint8Array; width: number; height: number; channels: 3 | 4 };

/** The brightness of pixels: one byte each, rows without padding. */
export type Grey = { data: Uint8Array; width: number; height: number };

/** How sharp is told about raw pixels. */
export const rawInput = ({ width, height, channels }: Pixels) =>
  ({ raw: { width, height, channels }, limitInputPixels: false }) as const;

/** Narrows the channels sharp tells; anything but RGB and RGBA is a mistake of the caller. */
export const pixelsOf = (
  data: Uint8Array,
  { width, height, channels }: { width: number; height: number; channels: number },
): Pixels => {
  if (channels !== 3 && channels !== 4) throw new Error(`Expected RGB or RGBA pixels, not ${channels} channels.`);
  return { data, width, height, channels };
};

/** The green channel, which is most of what eyes take for brightness: twice as fast as weighing all three. */
export const greyOf = ({ data, width, height, channels }: Pixels): Grey => {
  const grey = new Uint8Array(width * height);
  for (let at = 0, from = 1; at < grey.length; at += 1, from += channels) grey[at] = data[from] ?? 0;
  return { data: grey, width, height };
};

/** Half as wide and high; each pixel is the mean of four. */
export const halved = ({ data, width, height }: Grey): Grey => {
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

/** What decoding a photo needs to know: whether there is room for its pixels, and how large the result shall be. */
export type Asked = {
  /** Resolves when there is room for this many pixels. */
  admit: (pixels: number) => Promise<void>;
  /** The long edge to shrink to, for a photo of this upright size. */
  longEdgeOf: (original: { width: number; height: number }) => number;
};

/**
 * A photo decoded, upright and small, still in the colours of its profile (null: sRGB). `original` is its upright size
 * before; `exif` is there where it was read already.
 */
export type Shrunk = {
  pixels: Pixels;
  icc: Uint8Array | null;
  original: { width: number; height: number };
  exif?: Buffer | undefined;
};
