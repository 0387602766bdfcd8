import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { readPhotoFromUrl } from '../../../../src/core/photos/readPhoto.ts';
import { createOutboundPolicy, type OutboundPolicy } from '../../../../src/core/service/outboundPolicy.ts';
import { putPhoto } from '../../../../src/core/service/putPhoto.ts';
import { anywhere } from '../../../helpers/anywhere.ts';
import { drawnPhoto } from '../../../helpers/practice.ts';
import { settled, testClock } from '../../../helpers/testClock.ts';

const mebibyte = 2 ** 20;
/** No photo of a listing is larger. */
const maxMiB = 30;

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

/** Writes chunks for as long as the client reads them; counts them. */
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

test('a photo of unknown length that never ends is read only up to 30 MiB', async () => {
  const start = await drawnPhoto();
  const endless = withoutEnd(Buffer.alloc(mebibyte));
  const store = await storeOf((response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' }).write(start);
    endless.write(response);
  });
  await expect(readPhotoFromUrl(store.url, null, anywhere)).rejects.toMatchObject(refused);
  await settled(store.hungUp, 'the end of the connection');
  // What lies in the buffers of the system on the way comes on top.
  expect(endless.pieces()).toBeLessThan(maxMiB + 40);
});

test('a small compressed photo that expands to 400 MiB is refused', async () => {
  const packed = gzipSync(Buffer.concat([await drawnPhoto(), Buffer.alloc(400 * mebibyte)]));
  expect(packed.length).toBeLessThan(mebibyte);
  const store = await storeOf((response) =>
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-encoding': 'gzip' }).end(packed),
  );
  await expect(readPhotoFromUrl(store.url, null, anywhere)).rejects.toMatchObject(refused);
});

test('a photo declared larger than the limit is not read', async () => {
  const store = await storeOf((response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': maxMiB * mebibyte + 1 });
    response.flushHeaders();
  });
  await expect(readPhotoFromUrl(store.url, null, anywhere)).rejects.toMatchObject(refused);
  await settled(store.hungUp, 'the end of the connection');
});

test('a compressed response for a photo is refused', async () => {
  const packed = gzipSync(await drawnPhoto());
  const store = await storeOf((response) =>
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-encoding': 'gzip' }).end(packed),
  );
  await expect(readPhotoFromUrl(store.url, null, anywhere)).rejects.toMatchObject(refused);
});

/** A TCP server that counts its connections. */
const countingPlace = async () => {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
};

test('reading a photo does not follow a redirect', async () => {
  const place = await countingPlace();
  const store = await storeOf((response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${place.port}/1.jpg` }).end(),
  );
  await expect(readPhotoFromUrl(store.url, null, anywhere)).rejects.toMatchObject(refused);
  expect(place.connections()).toBe(0);
});

test('a name of a photo host is resolved once, and the connection uses that address', async () => {
  const photo = await drawnPhoto();
  const store = await storeOf((response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo));
  const asked: string[] = [];
  const findLookup: OutboundPolicy['findLookup'] = () => (host, _options, done) => {
    asked.push(host);
    done(null, [{ address: '127.0.0.1', family: 4 }]);
  };
  const url = store.url.replace('127.0.0.1', 'photos.example');
  expect(await readPhotoFromUrl(url, null, { ...anywhere, findLookup })).toMatchObject({
    contentType: 'image/jpeg',
  });
  expect(asked).toEqual(['photos.example']);
});

const nameOf = (address: string) => {
  let asked = 0;
  const outside = createOutboundPolicy(
    () => 'https://service.example',
    async () => {
      asked += 1;
      return [{ address, family: 4 }];
    },
  );
  return { outside, asked: () => asked };
};

test('a name that leads to this machine is neither read from nor uploaded to', async () => {
  const place = await countingPlace();
  const { outside, asked } = nameOf('127.0.0.1');
  const url = `https://photos.example:${place.port}/1.jpg`;
  await expect(readPhotoFromUrl(url, null, outside)).rejects.toMatchObject(refused);
  expect(asked()).toBe(1);
  const photo = { bytes: Buffer.alloc(10), contentType: 'image/jpeg', sent: () => undefined };
  for (const uploadUrl of [url, `https://127.0.0.1:${place.port}/`, `http://localhost:${place.port}/`])
    await expect(
      putPhoto(
        { ...photo, uploadUrl },
        { clock: testClock(), outside, secondTryMs: () => 0 },
        new AbortController().signal,
      ),
    ).rejects.toMatchObject({ code: 'UPLOAD_ADDRESS', effect: 'refused' });
  expect([asked(), place.connections()]).toEqual([2, 0]);
});
