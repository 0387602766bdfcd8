/**
 * Creates a resizable buffer, because the system gets its memory back when the buffer is freed. With other buffers, a
 * process keeps tens of megabytes after many photos.
 */
export const createReleasableBuffer = (length: number): Buffer<ArrayBuffer> =>
  Buffer.from(new ArrayBuffer(length, { maxByteLength: length }));

/**
 * Frees the memory of bytes at once. The bytes must not be read again. Without this, the garbage collector would run
 * after every few photos.
 */
export const releaseBytes = ({ buffer, byteLength }: Uint8Array): void => {
  if (!(buffer instanceof ArrayBuffer) || buffer.detached) return;
  if (buffer.resizable || byteLength === buffer.byteLength) buffer.transferToFixedLength(0);
};
