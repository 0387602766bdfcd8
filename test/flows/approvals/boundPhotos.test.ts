import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Listing } from '../../../src/contract/index.ts';
import { createStoredAgeTracker } from '../../../src/core/base/storedAges.ts';
import { createBoundPhotos } from '../../../src/core/photos/boundPhotos.ts';
import { createOutboundPolicy } from '../../../src/core/service/outboundPolicy.ts';
import { openMigratedDatabase } from '../../../src/core/storage/database.ts';
import { parsePhotoPath } from '../../../src/host/photoPath.ts';
import { recordPhotoReads } from '../../helpers/photos/recordPhotoReads.ts';
import { drawnPhoto } from '../../helpers/practice.ts';
import { createTestClock } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let reads: ReturnType<typeof recordPhotoReads>;
beforeEach(async () => {
  world = await startWorld();
  reads = recordPhotoReads();
});
afterEach(async () => {
  reads.stop();
  await world.close();
});

const getBoundPhotos = () => world.companion().boundPhotos;
const readHashes = async (listing: Listing): Promise<string[]> =>
  (await getBoundPhotos().read(listing)).map(({ sha256 }) => sha256);
const hashBytes = (bytes: Buffer): string => hash('sha256', bytes);
/** Fetches the photo bytes at the addresses of a listing. */
const fetchPhotos = async ({ imageUrls }: Listing): Promise<Buffer[]> => {
  const bytes = (imageUrls ?? []).map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer()));
  const all = await Promise.all(bytes);
  reads.take();
  return all;
};
const createReviewedListing = async (photos = 2): Promise<Listing> =>
  world.listing((await world.reviewed('blue shoes', photos)).listingId);
const replacePhoto = (listingId: string, bytes: Buffer, index = 0) =>
  world.practice.control('POST', '/photos', { listingId, index, base64: bytes.toString('base64') });
const requestSlot = (listingId: string) =>
  world.perform('requestUploads', { body: { listingId, files: [{ contentType: 'image/jpeg', index: 9 }] } });
const whole = { conditional: false, status: 200 };
const unchanged = { conditional: true, status: 304 };

test('photos that the companion uploaded are hashed from its own copies, not downloaded', async () => {
  const listing = await createReviewedListing(3);
  expect(reads.take()).toEqual([]);
  const known = await getBoundPhotos().read(listing);
  expect(reads.take()).toEqual([]);
  expect(known.map(({ contentType }) => contentType)).toEqual(Array(3).fill('image/jpeg'));
  expect(known.map((one) => one.sha256)).toEqual((await fetchPhotos(listing)).map(hashBytes));
  const turned = { ...listing, imageUrls: listing.imageUrls?.toReversed() };
  expect(await readHashes(turned)).toEqual(known.map((one) => one.sha256).toReversed());
});

test('after an upload slot is opened, the photos are downloaded once and then only revalidated', async () => {
  const listing = await createReviewedListing();
  const before = await readHashes(listing);
  await requestSlot(listing.listingId);
  expect(await readHashes(listing)).toEqual(before);
  expect(reads.take()).toEqual([whole, whole]);
  expect(await readHashes(listing)).toEqual(before);
  expect(reads.take()).toEqual([unchanged, unchanged]);
});

test('photos are downloaded again even if the request for a new upload slot failed', async () => {
  const listing = await createReviewedListing();
  await world.practice.fault({ method: 'POST', path: '/listings/upload-url', status: 400 });
  await expect(requestSlot(listing.listingId)).rejects.toThrow();
  await readHashes(listing);
  expect(reads.take()).toEqual([whole, whole]);
});

test('changed bytes at the same photo address produce a different hash', async () => {
  const listing = await createReviewedListing();
  await requestSlot(listing.listingId);
  const [first = '', second] = await readHashes(listing);
  const other = await drawnPhoto(7);
  await replacePhoto(listing.listingId, other);
  expect(await readHashes(listing)).toEqual([hashBytes(other), second]);
  await replacePhoto(listing.listingId, (await getBoundPhotos().find(first))?.bytes ?? Buffer.alloc(0));
  expect(await readHashes(listing)).toEqual([first, second]);
});

test('known photo hashes and opened upload slots survive a restart', async () => {
  const listing = await createReviewedListing();
  const before = await readHashes(listing);
  await world.stop();
  await world.begin();
  expect(await readHashes(listing)).toEqual(before);
  expect(reads.take()).toEqual([]);
  await requestSlot(listing.listingId);
  await world.stop();
  await world.begin();
  expect(await readHashes(listing)).toEqual(before);
  expect(reads.take()).toEqual([whole, whole]);
});

test('a stored photo is downloaded again for a prompt if its file was changed', async () => {
  const listing = await createReviewedListing();
  const [first = '', second = ''] = await readHashes(listing);
  const [bytes] = await fetchPhotos(listing);
  const ref = parsePhotoPath(`/bound-photos/${first}`);
  expect(ref && (await world.companion().photo(ref))).toEqual({ bytes, contentType: 'image/jpeg' });
  const path = join(world.dataDir, 'bound-photos', first);
  expect((await stat(path)).mode & 0o777).toBe(0o600);

  await writeFile(path, await drawnPhoto(9));
  expect(await getBoundPhotos().find(first)).toBeNull();
  expect(await getBoundPhotos().find(second)).not.toBeNull();
  // The next prompt needs the photo, so it is downloaded again.
  expect(await readHashes(listing)).toEqual([first, second]);
  expect(reads.take()).toEqual([whole]);
  expect((await getBoundPhotos().find(first))?.bytes).toEqual(bytes);
});

test.each(['/bound-photos/abc', `/bound-photos/${'A'.repeat(64)}`, `/bound-photos/${'a'.repeat(64)}/full`])(
  'the invalid photo path %s is not accepted',
  (path) => expect(parsePhotoPath(path)).toBeNull(),
);

test('an invalid, missing or unreachable photo leads to the error PHOTOS_UNREADABLE', async () => {
  const listing = await createReviewedListing();
  const readPhotosAt = (imageUrls: string[]) => getBoundPhotos().read({ ...listing, imageUrls });
  const [good = ''] = listing.imageUrls ?? [];
  const broken = { code: 'PHOTOS_UNREADABLE', effect: 'refused' };
  for (const url of [`${world.practice.url}/photos/none.jpg`, 'http://192.0.2.1/a.jpg', 'file:///etc/passwd', 'x'])
    await expect(readPhotosAt([good, url])).rejects.toMatchObject(broken);
  await replacePhoto(listing.listingId, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  await requestSlot(listing.listingId);
  await expect(getBoundPhotos().read(listing)).rejects.toMatchObject(broken);
  await world.practice.close();
  await expect(getBoundPhotos().read(listing)).rejects.toMatchObject({
    code: 'PHOTOS_UNREADABLE',
    effect: 'unreached',
  });
});

test('a stored photo is deleted after 15 days unless a prompt needs it', async () => {
  const listing = await createReviewedListing();
  const [first = '', second = ''] = await readHashes(listing);
  const dir = join(world.dataDir, 'bound-photos');
  const old = new Date(Date.now() - 3_600_000);
  for (const name of await readdir(dir)) await utimes(join(dir, name), old, old);
  await getBoundPhotos().sweep(new Set());
  expect((await readdir(dir)).toSorted()).toEqual([first, second].toSorted());
  world.clock.advance(15 * 24 * 3_600_000);
  await getBoundPhotos().sweep(new Set([second]));
  expect(await readdir(dir)).toEqual([second]);
});

test('sixteen photos are downloaded once and then revalidated with conditional requests', async () => {
  const drawNoise = (seed: number) =>
    sharp({
      create: {
        width: 900,
        height: 700,
        channels: 3,
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
        background: '#fff',
      },
    })
      .tint({ r: seed * 10, g: 90, b: 120 })
      .jpeg({ quality: 80 })
      .toBuffer();
  const listing = await createReviewedListing();
  const { agentKey } = await world.practice.person({ plan: 'Pro' });
  const listingId = await world.practice.draft(agentKey, 16);
  let size = 0;
  for (let index = 0; index < 16; index += 1) {
    const bytes = await drawNoise(index);
    size += bytes.length;
    await replacePhoto(listingId, bytes, index);
  }
  const { body } = await world.practice.call(agentKey, 'GET', `/listings/${listingId}`);
  const many: Listing = { ...listing, listingId, imageUrls: (body as Listing).imageUrls };
  for (const how of ['downloaded', 'revalidated']) {
    const started = performance.now();
    expect(new Set(await readHashes(many)).size).toBe(16);
    console.log(`16 photos of ${Math.round(size / 16_000)} kB ${how}: ${Math.round(performance.now() - started)} ms`);
  }
  expect(reads.take().map(({ status }) => status)).toEqual([
    ...Array<number>(16).fill(200),
    ...Array<number>(16).fill(304),
  ]);
}, 60_000);

/** Starts a photo server that responds with the given headers. */
const startPhotoStore = async (headers: () => Record<string, string>) => {
  const seen: (string | undefined)[] = [];
  const photo = { bytes: await drawnPhoto(1) };
  const server = createServer((request, response) => {
    const asked = request.headers['if-none-match'] ?? request.headers['if-modified-since'];
    seen.push(asked);
    if (asked === undefined) response.writeHead(200, headers()).end(photo.bytes);
    else response.writeHead(304, headers()).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const dir = await mkdtemp(join(tmpdir(), 'bound-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = createTestClock();
  const photos = createBoundPhotos({
    db: openMigratedDatabase(join(dir, 'test.db')),
    dir: join(dir, 'bound-photos'),
    account: () => 'ann',
    outside: createOutboundPolicy(() => url),
    clock,
    ages: createStoredAgeTracker(clock),
    log: () => undefined,
  });
  const read = async (query: string) =>
    (await photos.read({ listingId: 'l', status: 'draft', imageUrls: [`${url}/a.jpg${query}`] })).map(
      (one) => one.sha256,
    );
  const close = async () => {
    server.close();
    await rm(dir, { recursive: true, force: true });
  };
  return { read, seen, photo, close };
};
const formatTime = (ageS: number): string => new Date(Date.UTC(2026, 0, 1) - ageS * 1_000).toUTCString();
const date = { date: formatTime(0) };

test.each([
  ['a photo with a strong ETag is revalidated by the ETag', { etag: '"1"' }, '"1"'],
  [
    'a photo with a weak ETag is downloaded again',
    { etag: 'W/"1"', 'last-modified': formatTime(900), ...date },
    undefined,
  ],
  [
    'a photo with an old Last-Modified time is revalidated by that time',
    { 'last-modified': formatTime(900), ...date },
    formatTime(900),
  ],
  [
    'a photo with a recent Last-Modified time is downloaded again',
    { 'last-modified': formatTime(5), ...date },
    undefined,
  ],
  ['a photo without ETag and time is downloaded again', {}, undefined],
])('%s if only the query of its address changed', async (_what, headers, asked) => {
  const store = await startPhotoStore(() => headers);
  const first = await store.read('?signature=1');
  expect(await store.read('?signature=2')).toEqual(first);
  expect(store.seen).toEqual([undefined, asked]);
  await store.close();
});

test('a 304 response whose ETag differs from the stored ETag is rejected', async () => {
  let etag = '"1"';
  const store = await startPhotoStore(() => ({ etag }));
  await store.read('');
  etag = '"2"';
  await expect(store.read('')).rejects.toMatchObject({ code: 'PHOTOS_UNREADABLE' });
  await store.close();
});

test('each file in the folder of bound photos is named after its hash', async () => {
  await createReviewedListing();
  const dir = join(world.dataDir, 'bound-photos');
  for (const name of await readdir(dir)) expect(hashBytes(await readFile(join(dir, name)))).toBe(name);
});
