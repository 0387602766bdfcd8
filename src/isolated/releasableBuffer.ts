/**
 * Memory that goes back to the system with its buffer, as one that could grow has pages of its own. Of buffers as they are
 * usually made, tens of megabytes stay with a process through which many photos went.
 */
export const releasableBuffer = (length: number): Buffer<ArrayBuffer> =>
  Buffer.from(new ArrayBuffer(length, { maxByteLength: length }));

/**
 * Gives the memory of bytes back at once, where they lie alone in it; nobody may read them any more. Left to the garbage
 * collector, the megabytes of each photo make it look through everything there is after every few photos.
 */
export const release = ({ buffer, byteLength }: Uint8Array): void => {
  if (!(buffer instanceof ArrayBuffer) || buffer.detached) return;
  if (buffer.resizable || byteLength === buffer.byteLength) buffer.transferToFixedLength(0);
};
