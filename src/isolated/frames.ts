import type { Writable } from 'node:stream';
import { releasableBuffer } from './releasableBuffer.ts';

/** What one process tells the other: something that JSON can hold, and bytes that go with it. */
export type Message = { head: unknown; parts: readonly Uint8Array[] };

/** What a message's own words may take; bytes are bounded by whoever reads. */
const mostHeadBytes = 1024 * 1024;
const mostParts = 4;
/** What is smaller is not worth pages of its own. */
const wholePages = 16 * 1024;

/** A message as bytes for a pipe: the length of its words, its words, then its parts, none of which is copied. */
export const framesOf = ({ head, parts }: Message): Uint8Array[] => {
  const words = Buffer.from(JSON.stringify({ head, sizes: parts.map(({ byteLength }) => byteLength) }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(words.length);
  return [Buffer.concat([length, words]), ...parts];
};

/**
 * Writes a message to a pipe. Resolves once nothing reads its bytes any more: all of them have left, or the pipe is gone.
 */
export const writeMessage = (pipe: Writable, message: Message): Promise<void> =>
  new Promise((resolve) => {
    const frames = framesOf(message);
    // They leave in their order, so the last one tells of all.
    const onLast = (at: number) => (at === frames.length - 1 ? () => resolve() : undefined);
    pipe.cork();
    for (const [at, frame] of frames.entries()) pipe.write(frame, onLast(at));
    pipe.uncork();
  });

/** Parses what stands before the parts of a message. Throws on anything but a head and a few sizes. */
const parseWords = (words: Buffer, mostBytes: number): { head: unknown; sizes: number[] } => {
  const parsed: unknown = JSON.parse(words.toString('utf8'));
  if (typeof parsed !== 'object' || parsed === null || !('head' in parsed) || !('sizes' in parsed))
    throw new Error('This is no message.');
  const { head, sizes } = parsed;
  const isSize = (size: unknown): size is number => Number.isInteger(size) && Number(size) >= 0;
  if (!Array.isArray(sizes) || sizes.length > mostParts || !sizes.every(isSize)) throw new Error('This is no message.');
  if (sizes.reduce((sum, size) => sum + size, 0) > mostBytes) throw new Error('This message is too large.');
  return { head, sizes };
};

/**
 * Puts messages together from the pieces that a pipe hands out; each part is copied once, to its place. What it answers
 * throws when the other side sends what is no message, or more than `mostBytes` with one.
 */
export const createFrameReader = (mostBytes: number, onMessage: (message: Message) => void) => {
  let target = Buffer.alloc(4);
  let filled = 0;
  let next: () => void = () => onLength();
  const expect = (bytes: number, then: () => void): void => {
    target = bytes < wholePages ? Buffer.allocUnsafeSlow(bytes) : releasableBuffer(bytes);
    filled = 0;
    next = then;
  };
  const onLength = (): void => {
    const length = target.readUInt32LE(0);
    if (length > mostHeadBytes) throw new Error('This is no message.');
    expect(length, onWords);
  };
  const onWords = (): void => {
    const { head, sizes } = parseWords(target, mostBytes);
    const parts: Uint8Array[] = [];
    const takePart = (): void => {
      const size = sizes[parts.length];
      if (size === undefined) {
        expect(4, onLength);
        onMessage({ head, parts });
        return;
      }
      expect(size, () => {
        parts.push(target);
        takePart();
      });
    };
    takePart();
  };
  return (piece: Uint8Array): void => {
    for (let at = 0; at < piece.length;) {
      const taken = Math.min(piece.length - at, target.length - filled);
      target.set(piece.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      while (filled === target.length) next();
    }
  };
};
