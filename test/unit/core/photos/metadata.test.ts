import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getFixtureFolder } from '../../../helpers/photos/getFixtureFolder.ts';
import { readMetadata, hasExiftool, run, countTrailingBytes } from '../../../helpers/photos/exiftool.ts';
import { expectPrepared, startWorkers, createTempDir } from '../../../helpers/photos/photoWorld.ts';

/** Adds every kind of personal metadata to a file, and bytes after the end of a JPEG. */
const plantMetadata = async (path: string): Promise<void> => {
  const small = join(await createTempDir(), 'small.jpg');
  await copyFile(join(await getFixtureFolder(), 'good/orientation-1.jpg'), small);
  const isJpeg = path.endsWith('.jpg');
  const everywhere = [
    '-EXIF:Artist=Jane Doe',
    '-EXIF:SerialNumber=SN-123',
    '-EXIF:GPSLatitude=52.52',
    '-EXIF:GPSLatitudeRef=N',
    '-EXIF:GPSLongitude=13.4',
    '-EXIF:GPSLongitudeRef=E',
    '-EXIF:UserComment=my home',
    '-XMP-dc:Creator=Jane Doe',
    '-XMP-exif:GPSLatitude=52.52',
  ];
  const inJpeg = [
    '-IPTC:City=Berlin',
    '-Comment=my home',
    '-Photoshop:CopyrightFlag=true',
    `-EXIF:ThumbnailImage<=${small}`,
  ];
  await run('exiftool', ['-q', '-m', '-overwrite_original', ...everywhere, ...(isJpeg ? inJpeg : []), path]);
  if (isJpeg)
    await writeFile(path, Buffer.concat([await readFile(path), Buffer.from('MotionPhoto_Data: Jane Doe lives here')]));
};

test.skipIf(!hasExiftool)('no metadata of an original survives the preparation in any format', async () => {
  const dir = await createTempDir();
  const { workers, outDir } = await startWorkers();
  const names = ['photo.jpg', 'orientation-6.jpg', 'photo.png', 'photo.webp', 'photo.tif', 'photo.avif'];
  const results: string[] = [];
  for (const name of names) {
    const source = join(dir, name);
    await copyFile(join(await getFixtureFolder(), 'good', name), source);
    await plantMetadata(source);
    const [before = []] = Object.values(await readMetadata([source]));
    expect(before.filter((tag) => /GPS|Artist|Creator/.test(tag)).length, name).toBeGreaterThan(2);
    for (const format of ['jpeg', 'webp'] as const) {
      const photo = expectPrepared(await workers.prepare({ source, outDir, format }));
      results.push(photo.path, photo.thumbPath);
    }
    const seen = await workers.thumbnail({ source, outDir });
    if (seen) results.push(seen.thumbPath);
  }
  const found = await readMetadata(results);
  for (const path of results) {
    expect([path, found[path]]).toEqual([path, []]);
    expect(await countTrailingBytes(path)).toBe(0);
    const bytes = (await readFile(path)).toString('latin1');
    for (const word of ['Jane', 'Berlin', 'SN-123', 'my home', 'MotionPhoto']) expect(bytes).not.toContain(word);
  }
});
