import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { readPhoto } from '../../../../src/core/photos/readPhoto.ts';
import { drawnPhoto } from '../../../helpers/practice.ts';
import { settled } from '../../../helpers/testClock.ts';

const mebibyte = 2 ** 20;
/** No photo of a listing is larger. */
const mostMiB = 30;

/** A store whose only photo is written by `write`; answers its address, and whether the other side has hung up. */
const storeOf = async (write: (response: ServerResponse) => void) => {
  let hungUp = false;
  const server = createServer((_request, response) => {
    response.on('close', () => (hungUp = true));
    write(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/1.jpg`, hungUp: () => hungUp };
};

/** Writes pieces for as long as somebody takes them; answers how many did go. */
const withoutEnd = (piece: Buffer) => {
  let pieces = 0;
  return {
    pieces: () => pieces,
    write: (response: ServerResponse): void => {
      const more = (): void => {
        while (!response.destroyed) {
          pieces += 1;
          if (!response.write(piece)) return;
        }
      };
      response.on('drain', more);
      more();
    },
  };
};

const refused = { code: 'PHOTOS_UNREADABLE', effect: 'refused' };

test('a picture that never ends, and does not say how long it is, is read up to 30 MiB and no further', async () => {
  const start = await drawnPhoto();
  const endless = withoutEnd(Buffer.alloc(mebibyte));
  const store = await storeOf((response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' }).write(start);
    endless.write(response);
  });
  await expect(readPhoto(store.url, null)).rejects.toMatchObject(refused);
  await settled(store.hungUp, 'the end of the connection');
  // What lies in the buffers of the system on the way comes on top.
  expect(endless.pieces()).toBeLessThan(mostMiB + 40);
});

test('a packed picture counts as what it is unpacked', async () => {
  const packed = gzipSync(Buffer.concat([await drawnPhoto(), Buffer.alloc(400 * mebibyte)]));
  expect(packed.length).toBeLessThan(mebibyte);
  const store = await storeOf((response) =>
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-encoding': 'gzip' }).end(packed),
  );
  await expect(readPhoto(store.url, null)).rejects.toMatchObject(refused);
});

test('one that says that it is too large is not read', async () => {
  const store = await storeOf((response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': mostMiB * mebibyte + 1 });
    response.flushHeaders();
  });
  await expect(readPhoto(store.url, null)).rejects.toMatchObject(refused);
  await settled(store.hungUp, 'the end of the connection');
});
