import type { Writable } from 'node:stream';
import { releasableBuffer } from './releasableBuffer.ts';

/** A message between two processes: a JSON value and bytes. */
export type Message = { head: unknown; parts: readonly Uint8Array[] };

/** The maximum size of a message's JSON; the reader limits the bytes. */
const mostHeadBytes = 1024 * 1024;
const mostParts = 4;
/** Smaller parts do not need pages of their own. */
const wholePages = 16 * 1024;

/** Encodes a message for a pipe: the length of its JSON, its JSON, then its parts, none of which is copied. */
export const framesOf = ({ head, parts }: Message): Uint8Array[] => {
  const words = Buffer.from(JSON.stringify({ head, sizes: parts.map(({ byteLength }) => byteLength) }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(words.length);
  return [Buffer.concat([length, words]), ...parts];
};

/** Writes a message to a pipe. Resolves once its bytes are no longer read: all are written, or the pipe is closed. */
export const writeMessage = (pipe: Writable, message: Message): Promise<void> =>
  new Promise((resolve) => {
    const frames = framesOf(message);
    // Frames are written in order, so the last callback covers all of them.
    const onLast = (at: number) => (at === frames.length - 1 ? () => resolve() : undefined);
    pipe.cork();
    for (const [at, frame] of frames.entries()) pipe.write(frame, onLast(at));
    pipe.uncork();
  });

/** Parses the JSON part of a message. Throws if it is not a head with a few sizes. */
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
 * Assembles messages from the pieces of a pipe; each part is copied once. The returned function throws on an invalid
 * message, or on one with more than `maxBytes`.
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
