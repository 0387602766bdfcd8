import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;
type Waiting = { request: IncomingMessage; response: ServerResponse };

/** So many requests may stand behind the one that is being answered; whoever sends more at once does not read. */
const mostBehind = 8;

/**
 * Serves the requests of a connection one after the other, each when the answer before has left. All requests that came
 * in one piece are parsed at once: answered at once, each would hold its whole answer while the first is still read.
 */
export const oneAtATime = (serve: Serve): Serve => {
  const behind = new WeakMap<Socket, Waiting[]>();

  const next = (socket: Socket): void => {
    const waiting = behind.get(socket)?.shift();
    if (socket.destroyed || waiting === undefined) behind.delete(socket);
    else begin(socket, waiting);
  };
  const begin = (socket: Socket, { request, response }: Waiting): void => {
    response.once('close', () => next(socket));
    serve(request, response);
  };

  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const line = behind.get(socket);
    if (line === undefined) {
      behind.set(socket, []);
      begin(socket, { request, response });
    } else if (line.length < mostBehind) line.push({ request, response });
    else socket.destroy();
  };
};
