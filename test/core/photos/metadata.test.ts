import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { corpus, whyNoCorpus } from '../../helpers/corpus.ts';
import { fixtures } from '../../helpers/fixtures.ts';
import { ready, startWorkers, tempDir } from './photoWorld.ts';

const run = promisify(execFile);
const exiftool = await run('exiftool', ['-ver']).then(
  () => true,
  () => false,
);
if (!exiftool) console.log('exiftool (libimage-exiftool-perl) is not installed; what it would read is not checked.');

const read = z.array(z.looseObject({ SourceFile: z.string() }));

/** All that exiftool finds beside the file itself and the picture's own size and coding, for each file. */
const foundIn = async (paths: readonly string[]): Promise<Record<string, string[]>> => {
  const { stdout } = await run('exiftool', ['-json', '-a', '-u', '-G1', '-ee', ...paths], {
    maxBuffer: 1e9,
  });
  const plain =
    /^(SourceFile|ExifTool:ExifToolVersion|System:.*|File:(?!Comment|ExifByteOrder|Trailer).*|Composite:(ImageSize|Megapixels)|RIFF:(ImageWidth|ImageHeight|VP8Version|HorizontalScale|VerticalScale)|JFIF:(JFIFVersion|ResolutionUnit|XResolution|YResolution|ThumbnailWidth|ThumbnailHeight))$/;
  return Object.fromEntries(
    read
      .parse(JSON.parse(stdout))
      .map(({ SourceFile, ...tags }) => [SourceFile, Object.keys(tags).filter((tag) => !plain.test(tag))]),
  );
};

/** Bytes after the end of a JPEG or WebP. */
const trailing = async (path: string): Promise<number> => {
  const bytes = await readFile(path);
  if (bytes.toString('latin1', 0, 4) === 'RIFF') return bytes.length - (bytes.readUInt32LE(4) + 8);
  return bytes.length - (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) + 2) + (bytes.indexOf('Exif', 2) >= 0 ? 1 : 0);
};

/** Plants everything a file can tell about a person, and something after its end. */
const plant = async (path: string): Promise<void> => {
  const small = join(await tempDir(), 'small.jpg');
  await copyFile(join(await fixtures(), 'good/orientation-1.jpg'), small);
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

test.skipIf(!exiftool)('nothing that is planted in an original survives, in any format', async () => {
  const dir = await tempDir();
  const { workers, outDir } = await startWorkers();
  const names = ['photo.jpg', 'orientation-6.jpg', 'photo.png', 'photo.webp', 'photo.tif', 'photo.avif'];
  const results: string[] = [];
  for (const name of names) {
    const source = join(dir, name);
    await copyFile(join(await fixtures(), 'good', name), source);
    await plant(source);
    const [before = []] = Object.values(await foundIn([source]));
    expect(before.filter((tag) => /GPS|Artist|Creator/.test(tag)).length, name).toBeGreaterThan(2);
    for (const format of ['jpeg', 'webp'] as const) {
      const photo = ready(await workers.prepare({ source, outDir, format }));
      results.push(photo.path, photo.thumbPath);
    }
    const seen = await workers.glance({ source, outDir });
    if (seen) results.push(seen.thumbPath);
  }
  const found = await foundIn(results);
  for (const path of results) {
    expect([path, found[path]]).toEqual([path, []]);
    expect(await trailing(path)).toBe(0);
    const bytes = (await readFile(path)).toString('latin1');
    for (const word of ['Jane', 'Berlin', 'SN-123', 'my home', 'MotionPhoto']) expect(bytes).not.toContain(word);
  }
});

if (!corpus) console.log(whyNoCorpus);
test.skipIf(!exiftool || !corpus)('nothing is found in what becomes of real photos', { timeout: 600_000 }, async () => {
  const { workers, outDir } = await startWorkers();
  const { dir, files } = corpus ?? { dir: '', files: [] };
  const good = files.filter((file) => file.expected.outcome === 'ok');
  const made = await Promise.all(good.map(({ path }) => workers.prepare({ source: join(dir, path), outDir })));
  const paths = made.flatMap((photo) => [ready(photo).path, ready(photo).thumbPath]);
  const found = await foundIn(paths);
  expect(paths.filter((path) => (found[path] ?? ['not read']).length > 0)).toEqual([]);
  for (const path of paths) expect(await trailing(path)).toBe(0);
});
