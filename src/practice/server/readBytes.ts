import type { IncomingMessage } from 'node:http';

/** The bytes of a body; null as soon as there are more than `most`, and at once where it says so before. */
export const readBytes = async (request: IncomingMessage, most: number): Promise<Buffer | null> => {
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
