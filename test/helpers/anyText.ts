import fc from 'fast-check';

const [firstHalf, lastHalf] = [0xd800, 0xdfff];

/**
 * Text of any characters of Unicode. The strings of fast-check with the unit `binary` are the same, and take a list of all
 * million characters to make, which needs two seconds in each process.
 */
export const anyText = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0, max: firstHalf - 1 }), fc.integer({ min: lastHalf + 1, max: 0x10ffff }))
    .map((code) => String.fromCodePoint(code)),
});
