/**
 * Memory that goes back to the system with its buffer, as one that could grow has pages of its own. Of buffers as they are
 * usually made, tens of megabytes stay with a process through which many photos went.
 */
export const pagesOf = (length: number): Buffer<ArrayBuffer> =>
  Buffer.from(new ArrayBuffer(length, { maxByteLength: length }));
