import fc from 'fast-check';

const [firstHalf, lastHalf] = [0xd800, 0xdfff];

/**
 * Arbitrary Unicode text. fast-check's unit `binary` gives the same strings but first builds a list of a million
 * characters, which takes two seconds per process.
 */
export const anyText = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0, max: firstHalf - 1 }), fc.integer({ min: lastHalf + 1, max: 0x10ffff }))
    .map((code) => String.fromCodePoint(code)),
});
