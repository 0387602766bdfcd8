import type { ServerResponse } from 'node:http';

/** What still comes after a refusal is thrown away: so much of it, for so long, and then the connection is closed. */
const mostDropped = 4 * 2 ** 20;
const longestMs = 2_000;

/**
 * Ends an answer to a request of which there is more than anybody reads. All of the answer goes out at once; the end of the
 * connection comes a little later, as what is closed while bytes arrive is reset, and a reset takes the answer with it.
 */
export const closeUnread = (response: ServerResponse, text: string): void => {
  const { req: request } = response;
  response.setHeader('Connection', 'close');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.write(text);
  const end = (): void => {
    clearTimeout(timer);
    request.off('data', drop);
    if (!request.complete) request.pause();
    response.end();
  };
  const timer = setTimeout(end, longestMs);
  let dropped = 0;
  const drop = (piece: Buffer): void => {
    dropped += piece.length;
    if (dropped > mostDropped) end();
  };
  request.on('data', drop).once('end', end).once('close', end).resume();
};
