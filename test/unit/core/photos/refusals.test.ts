import { open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { getFileErrorCode, refusalCodes, getRefusalSentence } from '../../../../src/photoContract/refusals.ts';
import type { RefusalCode } from '../../../../src/photoContract/refusedPhoto.ts';
import { getFixtureFolder } from '../../../helpers/photos/getFixtureFolder.ts';
import { startWorkers, createTempDir } from '../../../helpers/photos/photoWorld.ts';

const createPngChunk = (type: string, data: Buffer): Buffer => {
  const framed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(framed));
  return Buffer.concat([length, framed, check]);
};

/** Builds a PNG that claims a size but contains almost no data. */
const createClaimedPng = (width: number, height: number, more: Buffer[] = []): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const end = [createPngChunk('IDAT', deflateSync(Buffer.alloc(1_000))), createPngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, createPngChunk('IHDR', header), ...more, ...end]);
};

const createBox = (type: string, content: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length + 8);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), content]);
};

/** A little-endian TIFF with one directory of short values. */
const createTiff = (tags: [id: number, value: number][]): Buffer => {
  const file = Buffer.alloc(8 + 2 + tags.length * 12 + 4);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(tags.length, 8);
  tags.forEach(([id, value], index) => {
    const at = 10 + index * 12;
    file.writeUInt16LE(id, at);
    file.writeUInt16LE(id === 0xc612 ? 1 : 3, at + 2);
    file.writeUInt32LE(id === 0xc612 ? 4 : 1, at + 4);
    file.writeUInt32LE(value, at + 8);
  });
  return file;
};

/** Creates every refused file in a folder and returns the name and the refusal code of each. */
const drawRefused = async (dir: string): Promise<[name: string, code: RefusalCode][]> => {
  const cases: [string, RefusalCode][] = [];
  const add = async (name: string, code: RefusalCode, content: Buffer | string): Promise<void> => {
    await writeFile(join(dir, name), content);
    cases.push([name, code]);
  };
  const copy = async (name: string, code: RefusalCode) =>
    add(name, code, await readFile(join(await getFixtureFolder(), 'bad', name)));
  for (const name of ['truncated.jpg', 'truncated.png', 'truncated.webp', 'truncated.avif'])
    await copy(name, 'TRUNCATED');
  await copy('damaged.jpg', 'DAMAGED');
  await copy('animated.gif', 'ANIMATED');
  await copy('animated.webp', 'ANIMATED');
  const sequenceHead = Buffer.from('msf1\0\0\0\0msf1hevc', 'latin1');
  await add(
    'sequence.heic',
    'ANIMATED',
    Buffer.concat([createBox('ftyp', sequenceHead), createBox('moov', Buffer.alloc(400))]),
  );
  await copy('tiny.png', 'TOO_SMALL');
  await copy('strip.png', 'EXTREME_SHAPE');
  await copy('drawing.png', 'SVG');
  await copy('page.jpg', 'PDF');
  await copy('bitmap.bmp', 'OTHER_PICTURE');
  await copy('text.jpg', 'NOT_A_PHOTO');
  await copy('empty.jpg', 'EMPTY_FILE');
  await add('bomb.png', 'TOO_LARGE', createClaimedPng(60_000, 60_000));
  await add(
    'claims-120-mp-of-16-bit.png',
    'TOO_LARGE',
    await sharp({ create: { width: 10_400, height: 9_000, channels: 4, background: '#8888' } })
      .toColourspace('rgb16')
      .png({ compressionLevel: 1 })
      .toBuffer(),
  );
  await add(
    'moves.png',
    'ANIMATED',
    createClaimedPng(300, 300, [createPngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))]),
  );
  await add(
    'svg-with-a-byte-order-mark.jpg',
    'SVG',
    '\ufeff<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  );
  await add(
    'clip.jpg',
    'VIDEO',
    Buffer.concat([
      createBox('ftyp', Buffer.from('isom\0\0\0\0isommp42', 'latin1')),
      createBox('mdat', Buffer.alloc(64)),
    ]),
  );
  await add(
    'raw.tif',
    'CAMERA_RAW',
    createTiff([
      [0x100, 400],
      [0x101, 300],
      [0xc612, 0x00000401],
    ]),
  );
  await add(
    'cannot.heic',
    'HEIC_UNREADABLE',
    Buffer.concat([
      createBox('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')),
      createBox('meta', Buffer.alloc(4)),
      createBox('mdat', Buffer.alloc(400, 7)),
    ]),
  );
  const huge = await open(join(dir, 'huge.jpg'), 'w');
  await huge.truncate(400e6 + 1);
  await huge.close();
  cases.push(['huge.jpg', 'FILE_TOO_LARGE']);
  await symlink('ring.jpg', join(dir, 'ring.jpg'));
  cases.push(['ring.jpg', 'UNREADABLE_FILE'], ['never-was-there.jpg', 'MISSING_FILE']);
  return cases;
};

/** Refusals that do not depend on the file; other tests cover these. */
const codesWithoutFile: RefusalCode[] = ['NO_SPACE', 'CANNOT_WRITE', 'MACHINE_BUSY', 'WORKER_DIED', 'OUTSIDE_FOLDER'];

test('a refused photo leaves no file behind, and each reason has its own sentence', async () => {
  const dir = await createTempDir();
  const cases = await drawRefused(dir);
  expect([...new Set([...cases.map(([, code]) => code), ...codesWithoutFile])].sort()).toEqual(
    [...refusalCodes].sort(),
  );
  const { workers, outDir } = await startWorkers();
  for (const [name, code] of cases) {
    const photo = await workers.prepare({ source: join(dir, name), outDir });
    expect([name, photo]).toEqual([name, { ok: false, code, sentence: getRefusalSentence(code) }]);
    expect(await workers.readBarcodes({ source: join(dir, name) })).toEqual([]);
  }
  expect(await readdir(outDir)).toEqual([]);
  expect(new Set(refusalCodes.map(getRefusalSentence)).size).toBe(refusalCodes.length);
});

test('a truncated HEIC is refused, even if only one byte is missing', async ({ skip }) => {
  const source = join(await getFixtureFolder(), 'good/photo.heic');
  if (!(await stat(source).catch(() => null))) skip('heif-enc is not installed, so there is no HEIC fixture');
  const whole = await readFile(source);
  const dir = await createTempDir();
  const { workers, outDir } = await startWorkers({ size: 1 });
  for (const missing of [1, 2, 50, 600, Math.round(whole.length / 2)]) {
    const cut = join(dir, `${missing}.heic`);
    await writeFile(cut, whole.subarray(0, -missing));
    expect([missing, await workers.prepare({ source: cut, outDir })]).toMatchObject([missing, { code: 'TRUNCATED' }]);
  }
});

test('a full disk is distinguished from other write errors', () => {
  const withCode = (code: string) => Object.assign(new Error(code), { code });
  expect(getFileErrorCode(withCode('ENOSPC'), 'CANNOT_WRITE')).toBe('NO_SPACE');
  expect(getFileErrorCode(withCode('EDQUOT'), 'CANNOT_WRITE')).toBe('NO_SPACE');
  expect(getFileErrorCode(withCode('EACCES'), 'CANNOT_WRITE')).toBe('CANNOT_WRITE');
});
