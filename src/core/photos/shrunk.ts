import type { Pixels } from './pixels.ts';

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
