import type { Pixels } from './pixels.ts';

/** Looked at: the middle of the picture, every fourth pixel of every fourth row. */
const margin = 0.2;
const stride = 4;

/** Colours of paper differ this little between their channels, and from the paper's usual brightness. */
const mostTint = 40;
const mostShade = 0.75;

/**
 * Whether the middle of a picture is a sheet of paper: one light, nearly colourless shade with at most a little writing.
 * Items on a white background have the item in the middle.
 */
export const showsSheet = ({ data, width, height, channels }: Pixels): boolean => {
  const counts = new Uint32Array(256);
  let [looked, colourless] = [0, 0];
  for (let y = Math.round(height * margin); y < height * (1 - margin); y += stride) {
    for (let x = Math.round(width * margin); x < width * (1 - margin); x += stride) {
      const at = (y * width + x) * channels;
      const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
      looked += 1;
      if (Math.max(red, green, blue) - Math.min(red, green, blue) >= mostTint) continue;
      counts[green] = (counts[green] ?? 0) + 1;
      colourless += 1;
    }
  }
  let seen = 0;
  const usual = counts.findIndex((count) => (seen += count) > colourless * 0.7);
  const paper = counts.reduce((sum, count, light) => (light > usual * mostShade ? sum + count : sum), 0);
  return usual > 140 && paper > looked * 0.88;
};
