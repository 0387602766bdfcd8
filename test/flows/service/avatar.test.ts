import { readdir, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const createJpeg = () =>
  sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#c84' } })
    .withExif({ IFD0: { Copyright: 'taken at home' } })
    .jpeg()
    .toBuffer();
const readUserId = async () => {
  const outcome = await world.perform('readAccount', {});
  return z.object({ answer: z.object({ userId: z.string() }) }).parse(outcome).answer.userId;
};
const decodeDataUrl = (dataUrl: string): Buffer => Buffer.from(dataUrl.split(',')[1] ?? '', 'base64');

test('a profile photo is reduced and stored at the service without metadata', async () => {
  const path = join(world.dataDir, 'me.jpg');
  await writeFile(path, await createJpeg());
  const avatar = await world.companion().avatar({ path });
  expect(avatar).toMatch(/^data:image\/jpeg;base64,/);
  const { width, height, exif } = await sharp(decodeDataUrl(avatar)).metadata();
  expect([width, height, exif]).toEqual([256, 171, undefined]);
  const params = { userId: await readUserId() };
  expect(await world.perform('updateUser', { params, body: { avatar } })).toMatchObject({ state: 'done' });
  expect(await world.perform('readUser', { params })).toMatchObject({ answer: { avatar } });
});

test('an uploaded profile photo leaves no copy on disk after its single use', async () => {
  const { uploadId } = await world.companion().receivePhoto(Readable.from([await createJpeg()]));
  expect(await world.companion().avatar({ uploadId })).toMatch(/^data:image\/jpeg;base64,/);
  expect(await readdir(join(world.dataDir, 'intake'))).toEqual([]);
  await expect(world.companion().avatar({ uploadId })).rejects.toMatchObject({ code: 'INTAKE_MISSING' });
});

test('the error for an unreadable profile photo does not reveal the file content', async () => {
  const path = join(world.dataDir, 'passwords.txt');
  await writeFile(path, 'swordfish');
  for (const given of [path, join(world.dataDir, 'none.jpg'), world.dataDir]) {
    const refused = world.companion().avatar({ path: given });
    await expect(refused).rejects.toMatchObject({ code: 'AVATAR_UNREADABLE', field: 'avatar' });
    await expect(refused).rejects.not.toThrow('swordfish');
  }
  const { uploadId } = await world.companion().receivePhoto(Readable.from([Buffer.from('swordfish')]));
  await expect(world.companion().avatar({ uploadId })).rejects.toMatchObject({ code: 'AVATAR_UNREADABLE' });
  expect(await readdir(join(world.dataDir, 'intake'))).toEqual([]);
});
