import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';

const execute = promisify(execFile);

/** Splits the files into two halves that run in parallel, like the two photo workers. */
const inTwo = async (files: readonly string[], work: (some: string[]) => Promise<unknown>): Promise<void> => {
  await Promise.all([0, 1].map((which) => work(files.filter((_, index) => index % 2 === which))));
};

export const vipsthumbnail = (files: readonly string[], outDir: string): Promise<void> =>
  inTwo(files, (some) =>
    execute('vipsthumbnail', [
      ...some,
      '-s',
      '1600x1600',
      '--eprofile',
      'srgb',
      '-o',
      join(outDir, '%s.jpg[Q=82,strip]'),
    ]),
  );

export const heifConvert = (files: readonly string[], outDir: string): Promise<void> =>
  inTwo(files, async (some) => {
    for (const file of some) await execute('heif-convert', ['-q', '82', file, join(outDir, `${basename(file)}.jpg`)]);
  });

export const imageMagick = (files: readonly string[], outDir: string): Promise<void> =>
  inTwo(files, (some) =>
    execute('mogrify', [
      ...['-limit', 'thread', '1', '-auto-orient', '-resize', '1600x1600', '-strip', '-quality', '82'],
      ...['-path', outDir, ...some],
    ]),
  );

export const plainSharp = (files: readonly string[], outDir: string): Promise<void> =>
  inTwo(files, async (some) => {
    for (const file of some)
      await sharp(file)
        .autoOrient()
        .resize({ width: 1600, height: 1600, fit: 'inside', withoutEnlargement: true })
        .toColourspace('srgb')
        .jpeg({ quality: 82 })
        .toFile(join(outDir, basename(file)));
  });

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The minimum work: decodes at half the size and encodes, without rotation, colour conversion or exact size. */
export const djpegCjpeg = (files: readonly string[], outDir: string): Promise<void> =>
  inTwo(files, async (some) => {
    for (const file of some) {
      const out = join(outDir, `${basename(file)}.jpg`);
      await execute('sh', ['-c', `djpeg -scale 1/2 ${quoted(file)} | cjpeg -quality 82 > ${quoted(out)}`]);
    }
  });

export const isThere = async (program: string): Promise<boolean> =>
  (await execute('which', [program]).catch(() => null)) !== null;
