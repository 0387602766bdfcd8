import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { detectFormat, headBytes } from '../../../../src/photoContract/detectFormat.ts';
import { getFixtureFolder } from '../../../helpers/photos/getFixtureFolder.ts';
import { expectPrepared, startWorkers, createTempDir } from '../../../helpers/photos/photoWorld.ts';

const script = '<script>alert(document.domain)</script>';
const zip = Buffer.from(`PK\u0003\u0004${'evil.jar'.repeat(40)}PK\u0005\u0006`, 'latin1');

/** Builds a JPEG comment segment. */
const createJpegComment = (text: string): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length + 2);
  return Buffer.concat([Buffer.from([0xff, 0xfe]), length, Buffer.from(text, 'latin1')]);
};

/** Files that are a photo to one program and something else to another. */
const polyglots: Record<string, (photo: Buffer) => Buffer> = {
  'a photo that is also an archive': (photo) => Buffer.concat([photo, zip]),
  'a photo that is also a web page': (photo) =>
    Buffer.concat([photo.subarray(0, 2), createJpegComment(script), photo.subarray(2)]),
  'a photo with an appended web page': (photo) => Buffer.concat([photo, Buffer.from(`<html>${script}</html>`)]),
};

test.each(Object.entries(polyglots))('%s is refused or prepared as a clean photo', async (name, make) => {
  const photo = await readFile(join(await getFixtureFolder(), 'good', 'photo.jpg'));
  const source = join(await createTempDir(), `${name}.jpg`);
  await writeFile(source, make(photo));
  const { workers, outDir } = await startWorkers();
  const made = await workers.prepare({ source, outDir });
  if (!made.ok) return expect(made.sentence).toMatch(/^[A-Z].*\.$/);
  for (const path of [made.path, made.thumbPath]) {
    const bytes = await readFile(path);
    expect(bytes.includes('script') || bytes.includes('PK\u0003\u0004') || bytes.includes('evil')).toBe(false);
    expect(bytes.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]));
  }
});

test('the first bytes distinguish a JPEG from a lossless JPEG', async () => {
  const jpeg = await readFile(join(await getFixtureFolder(), 'good', 'photo.jpg'));
  expect(await detectFormat(jpeg.subarray(0, headBytes))).toBe('jpeg');
  const lossless = Buffer.from(jpeg);
  lossless[3] = 0xf7;
  expect(await detectFormat(lossless)).toBe('otherPicture');
});

test('a file that only starts like a photo is refused', async () => {
  const dir = await createTempDir();
  const { workers, outDir } = await startWorkers();
  const pretenders = {
    'gif.gif': Buffer.from(`GIF89a/*${script}*/=1;`),
    'jpeg.jpg': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(script)]),
    'png.png': Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(script)]),
    'webp.webp': Buffer.from(`RIFF\u0010\0\0\0WEBP${script}`, 'latin1'),
  };
  for (const [name, bytes] of Object.entries(pretenders)) {
    await writeFile(join(dir, name), bytes);
    expect([name, (await workers.prepare({ source: join(dir, name), outDir })).ok]).toEqual([name, false]);
  }
  expectPrepared(await workers.prepare({ source: join(await getFixtureFolder(), 'good', 'photo.jpg'), outDir }));
});
