import { expect, test } from 'vitest';
import { startDecoder } from '../../../src/kitchen/heif/heifDecoder.ts';
import { knownDecoder, replaceInverseTransforms } from '../../../src/kitchen/heif/inverseTransform.ts';
import { createRandom } from '../../helpers/createRandom.ts';

type Transform = (target: number, input: number, stride: number) => void;

test('the transforms with SIMD give the same pixels as those of the decoder, for any coefficients', () => {
  const { wasmBytes, memory, table, allocate } = startDecoder();
  expect(wasmBytes, 'another build of the decoder: find its transforms').toBe(knownDecoder.wasmBytes);
  if (!memory || !table) throw new Error('The decoder exports no memory or no table.');
  const readTransform = (slot: number) => table.get(slot) as Transform;
  const pairs = Object.entries(knownDecoder.slots).map(([size, slot]) => ({
    size: Number(size),
    slot,
    ofDecoder: readTransform(slot),
  }));
  replaceInverseTransforms(memory, table, allocate);

  const random = createRandom(46);
  const below = (end: number): number => Math.floor(random() * end);
  const stride = 37;
  const [input, expected, given] = [allocate(2 * 32 * 32), allocate(stride * 32), allocate(stride * 32)];
  for (const { size, slot, ofDecoder } of pairs) {
    const withSimd = readTransform(slot);
    expect(withSimd).not.toBe(ofDecoder);
    for (let round = 0; round < 1_500; round++) {
      const coefficients = new Int16Array(memory.buffer, input, size * size).fill(0);
      const [columns, rows] = [1 + below(size), 1 + below(size)];
      for (let count = below(round % 3 === 0 ? size * size : 12); count >= 0; count--) {
        const extreme = random() < 0.5 ? 32_767 : -32_768;
        coefficients[below(rows) * size + below(columns)] = round % 5 === 0 ? extreme : below(2_000) - 1_000;
      }
      const picture = Uint8Array.from({ length: stride * 32 }, () => below(256));
      for (const target of [expected, given]) new Uint8Array(memory.buffer).set(picture, target);
      ofDecoder(expected, input, stride);
      withSimd(given, input, stride);
      const readPicture = (at: number): Buffer => Buffer.from(memory.buffer, at, picture.length);
      if (!readPicture(given).equals(readPicture(expected)))
        expect.fail(`a block of ${size} pixels differs in round ${round}: ${coefficients.join(' ')}`);
    }
  }
});
