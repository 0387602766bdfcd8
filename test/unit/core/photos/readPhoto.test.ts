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
import { waitUntil, createTestClock } from '../../../helpers/testClock.ts';

const mebibyte = 2 ** 20;
/** The largest allowed photo of a listing. */
const maxMiB = 30;

/** Starts a store whose only photo is written by `write`. Returns its URL and whether the client has disconnected. */
const startStore = async (write: (response: ServerResponse) => void) => {
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

/** Writes chunks as long as the client reads, and counts these chunks. */
const writeEndlessly = (piece: Buffer) => {
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

test('an endless photo download is aborted after 30 MiB', async () => {
  const start = await drawnPhoto();
  const endless = writeEndlessly(Buffer.alloc(mebibyte));
  const store = await startStore((response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' }).write(start);
    endless.write(response);
  });
  await expect(readPhotoFromUrl(store.url, null, anywhere)).rejects.toMatchObject(refused);
  await waitUntil(store.hungUp, 'the end of the connection');
  // The buffers of the operating system can hold some more chunks.
  expect(endless.pieces()).toBeLessThan(maxMiB + 40);
});

test('a small compressed photo that expands to 400 MiB is refused', async () => {
  const packed = gzipSync(Buffer.concat([await drawnPhoto(), Buffer.alloc(400 * mebibyte)]));
  expect(packed.length).toBeLessThan(mebibyte);
  const store = await startStore((response) =>
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-encoding': 'gzip' }).end(packed),
  );
  await expect(readPhotoFromUrl(store.url, null, anywhere)).rejects.toMatchObject(refused);
});

test('a photo with a declared size above the limit is not read', async () => {
  const store = await startStore((response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': maxMiB * mebibyte + 1 });
    response.flushHeaders();
  });
  await expect(readPhotoFromUrl(store.url, null, anywhere)).rejects.toMatchObject(refused);
  await waitUntil(store.hungUp, 'the end of the connection');
});

test('a compressed photo response is refused', async () => {
  const packed = gzipSync(await drawnPhoto());
  const store = await startStore((response) =>
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-encoding': 'gzip' }).end(packed),
  );
  await expect(readPhotoFromUrl(store.url, null, anywhere)).rejects.toMatchObject(refused);
});

/** A TCP server that counts its connections. */
const startCountingServer = async () => {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
};

test('a redirect is not followed when a photo is read', async () => {
  const place = await startCountingServer();
  const store = await startStore((response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${place.port}/1.jpg` }).end(),
  );
  await expect(readPhotoFromUrl(store.url, null, anywhere)).rejects.toMatchObject(refused);
  expect(place.connections()).toBe(0);
});

test('the host name of a photo is resolved only once', async () => {
  const photo = await drawnPhoto();
  const store = await startStore((response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo));
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

const createPolicyResolvingTo = (address: string) => {
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

test('photos are never read from or uploaded to a host name of this machine', async () => {
  const place = await startCountingServer();
  const { outside, asked } = createPolicyResolvingTo('127.0.0.1');
  const url = `https://photos.example:${place.port}/1.jpg`;
  await expect(readPhotoFromUrl(url, null, outside)).rejects.toMatchObject(refused);
  expect(asked()).toBe(1);
  const photo = { bytes: Buffer.alloc(10), contentType: 'image/jpeg', sent: () => undefined };
  for (const uploadUrl of [url, `https://127.0.0.1:${place.port}/`, `http://localhost:${place.port}/`])
    await expect(
      putPhoto(
        { ...photo, uploadUrl },
        { clock: createTestClock(), outside, secondTryMs: () => 0 },
        new AbortController().signal,
      ),
    ).rejects.toMatchObject({ code: 'UPLOAD_ADDRESS', effect: 'refused' });
  expect([asked(), place.connections()]).toEqual([2, 0]);
});
