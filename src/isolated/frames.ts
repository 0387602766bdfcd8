import type { Writable } from 'node:stream';
import { createReleasableBuffer } from './releasableBuffer.ts';

export type Message = { head: unknown; parts: readonly Uint8Array[] };

/**
 * Returns whether data from an Electron port is a message. Electron copies objects and bytes, so the data needs no
 * decoding.
 */
export const isMessage = (data: unknown): data is Message =>
  typeof data === 'object' && data !== null && 'head' in data && 'parts' in data && Array.isArray(data.parts);

const maxHeadBytes = 1024 * 1024;
const maxParts = 4;
const minOwnBufferBytes = 16 * 1024;

/**
 * Encodes a message for a pipe without copying its parts. The length of the JSON comes first, then the JSON, then the
 * parts.
 */
export const encodeFrames = ({ head, parts }: Message): Uint8Array[] => {
  const words = Buffer.from(JSON.stringify({ head, sizes: parts.map(({ byteLength }) => byteLength) }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(words.length);
  return [Buffer.concat([length, words]), ...parts];
};

/** Writes a message to a pipe. Resolves when all bytes have been written or the pipe is closed. */
export const writeMessageFrames = (pipe: Writable, message: Message): Promise<void> =>
  new Promise((resolve) => {
    const frames = encodeFrames(message);
    // Frames are written in order, so the callback of the last frame covers all frames.
    const onLastFrame = (at: number) => (at === frames.length - 1 ? () => resolve() : undefined);
    pipe.cork();
    for (const [at, frame] of frames.entries()) pipe.write(frame, onLastFrame(at));
    pipe.uncork();
  });

const parseMessageHead = (words: Buffer, maxBytes: number): { head: unknown; sizes: number[] } => {
  const parsed: unknown = JSON.parse(words.toString('utf8'));
  if (typeof parsed !== 'object' || parsed === null || !('head' in parsed) || !('sizes' in parsed))
    throw new Error('This is no message.');
  const { head, sizes } = parsed;
  const isPartSize = (size: unknown): size is number => Number.isInteger(size) && Number(size) >= 0;
  if (!Array.isArray(sizes) || sizes.length > maxParts || !sizes.every(isPartSize))
    throw new Error('This is no message.');
  if (sizes.reduce((sum, size) => sum + size, 0) > maxBytes) throw new Error('This message is too large.');
  return { head, sizes };
};

/**
 * Creates a function that reads the bytes of a pipe and calls `onMessage` for each message. The function throws if a
 * message is invalid or larger than `maxBytes`.
 */
export const createFrameReader = (maxBytes: number, onMessage: (message: Message) => void) => {
  let target = Buffer.alloc(4);
  let filled = 0;
  let onTargetFilled: () => void = () => onHeadLength();
  const expectBytes = (bytes: number, then: () => void): void => {
    target = bytes < minOwnBufferBytes ? Buffer.allocUnsafeSlow(bytes) : createReleasableBuffer(bytes);
    filled = 0;
    onTargetFilled = then;
  };
  const onHeadLength = (): void => {
    const length = target.readUInt32LE(0);
    if (length > maxHeadBytes) throw new Error('This is no message.');
    expectBytes(length, onHeadBytes);
  };
  const onHeadBytes = (): void => {
    const { head, sizes } = parseMessageHead(target, maxBytes);
    const parts: Uint8Array[] = [];
    const readNextPart = (): void => {
      const size = sizes[parts.length];
      if (size === undefined) {
        expectBytes(4, onHeadLength);
        onMessage({ head, parts });
        return;
      }
      expectBytes(size, () => {
        parts.push(target);
        readNextPart();
      });
    };
    readNextPart();
  };
  return (piece: Uint8Array): void => {
    for (let at = 0; at < piece.length;) {
      const taken = Math.min(piece.length - at, target.length - filled);
      target.set(piece.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      while (filled === target.length) onTargetFilled();
    }
  };
};
