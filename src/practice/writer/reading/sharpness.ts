import { greyOf, type Picture } from './picture.ts';

/**
 * How crisp a picture is: the variance of its Laplacian at 512 px.
 * A blurred or empty picture is below about 15, a good photo is in the hundreds.
 */
export const sharpnessOf = async (picture: Picture): Promise<number> => {
  const { data, width, height } = await greyOf(picture, 512);
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
