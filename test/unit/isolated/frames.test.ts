import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFrameReader, encodeFrames, type Message } from '../../../src/isolated/frames.ts';

const messages = fc.array(
  fc.record({ head: fc.jsonValue(), parts: fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 }) }),
  { maxLength: 5 },
);

/** Cuts bytes into pieces like a pipe. */
const cutBytes = (bytes: Buffer, sizes: readonly number[]): Buffer[] => {
  const pieces: Buffer[] = [];
  for (let at = 0, nth = 0; at < bytes.length; nth += 1) {
    const size = sizes[nth % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
};

test('messages arrive unchanged regardless of how the pipe splits the bytes', () => {
  fc.assert(
    fc.property(messages, fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1 }), (sent, sizes) => {
      const received: Message[] = [];
      const read = createFrameReader(10_000, (message) => received.push(message));
      for (const piece of cutBytes(Buffer.concat(sent.flatMap(encodeFrames)), sizes)) read(piece);
      const plain = (list: readonly Message[]) =>
        list.map(({ head, parts }) => ({ head: JSON.stringify(head), parts: parts.map((part) => [...part]) }));
      expect(plain(received)).toEqual(plain(sent));
    }),
  );
});

test.each([
  ['more bytes than the limit', encodeFrames({ head: 1, parts: [new Uint8Array(101)] })],
  ['too many parts', encodeFrames({ head: 1, parts: Array.from({ length: 5 }, () => new Uint8Array(1)) })],
  ['a header of endless length', [Buffer.from([0xff, 0xff, 0xff, 0xff])]],
  ['a header that is not JSON', [Buffer.from([2, 0, 0, 0]), Buffer.from('no')]],
  ['a negative size', [Buffer.from([22, 0, 0, 0]), Buffer.from('{"head":1,"sizes":[-1]}')]],
])('the frame reader rejects an invalid message: %s', (_what, frames) => {
  const read = createFrameReader(100, () => undefined);
  expect(() => read(Buffer.concat(frames))).toThrow();
});
