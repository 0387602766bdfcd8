import type { IncomingMessage } from 'node:http';

const early = new WeakMap<IncomingMessage, Promise<Buffer | null>>();

/**
 * Has a body come in now that is read later: what has arrived stays, whatever becomes of the connection. For calls that are
 * answered late, as of a connection that has ended nothing can be read any more.
 */
export const readEarly = (request: IncomingMessage, most: number): void => {
  const bytes = read(request, most);
  // Told to whoever reads it.
  bytes.catch(() => undefined);
  early.set(request, bytes);
};

/** The bytes of a body; null as soon as there are more than `most`, and at once where it says so before. */
export const readBytes = async (request: IncomingMessage, most: number): Promise<Buffer | null> => {
  const bytes = await (early.get(request) ?? read(request, most));
  return bytes !== null && bytes.length > most ? null : bytes;
};

const read = async (request: IncomingMessage, most: number): Promise<Buffer | null> => {
  if (Number(request.headers['content-length'] ?? 0) > most) return null;
  const pieces: Buffer[] = [];
  let count = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    count += piece.length;
    if (count > most) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};
