/**
 * Returns a buffer whose memory is returned to the system with it, because a resizable buffer has pages of its own.
 * With ordinary buffers, a process that handled many photos keeps tens of megabytes.
 */
export const createReleasableBuffer = (length: number): Buffer<ArrayBuffer> =>
  Buffer.from(new ArrayBuffer(length, { maxByteLength: length }));

/**
 * Frees the memory of bytes at once, if they own all of it; they must not be read afterwards. Without this, the
 * megabytes of each photo cause a full garbage collection after every few photos.
 */
export const releaseBytes = ({ buffer, byteLength }: Uint8Array): void => {
  if (!(buffer instanceof ArrayBuffer) || buffer.detached) return;
  if (buffer.resizable || byteLength === buffer.byteLength) buffer.transferToFixedLength(0);
};
