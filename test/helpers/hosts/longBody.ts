import { connect } from 'node:net';
import { parseAnswer, type RawAnswer } from '../bridge/raw.ts';

type Long = { url: string; method: string; headers: readonly string[]; mebibytes: number };

/** The result of a long body: the answer, the MiB sent before the connection closed, and whether it was closed. */
export type LongBodyEnd = { answer: RawAnswer | null; sentMiB: number; closed: boolean };

const piece = Buffer.concat([Buffer.from(`${(2 ** 20).toString(16)}\r\n`), Buffer.alloc(2 ** 20), Buffer.from('\r\n')]);

/**
 * Sends a body in pieces without announcing its length. The body is created while it is sent, so that only one piece is
 * in memory. Like a malicious client it continues after the answer, until the other side ends the connection.
 */
export const sendLongBody = ({ url, method, headers, mebibytes }: Long): Promise<LongBodyEnd> =>
  new Promise((resolve) => {
    const { host, port, pathname } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    let got = Buffer.alloc(0);
    let sentMiB = 0;
    let over = false;
    const done = (closed: boolean): void => {
      over = true;
      socket.destroy();
      resolve({ answer: parseAnswer(got), sentMiB, closed });
    };
    const write = (): void => {
      while (!over && sentMiB < mebibytes) {
        sentMiB += 1;
        if (!socket.write(piece)) return;
      }
      if (!over) socket.write('0\r\n\r\n');
    };
    socket.on('data', (data: Buffer) => {
      got = Buffer.concat([got, data]);
      // Everything was sent and answered; the other side will not close the connection any more.
      if (sentMiB >= mebibytes && parseAnswer(got)) done(false);
    });
    socket.on('drain', write).on('error', () => undefined);
    socket.on('close', () => done(true));
    socket.on('connect', () => {
      const head = [
        `${method} ${pathname} HTTP/1.1`,
        `Host: ${host}`,
        'Transfer-Encoding: chunked',
        ...headers,
        '',
        '',
      ];
      socket.write(head.join('\r\n'));
      write();
    });
  });
