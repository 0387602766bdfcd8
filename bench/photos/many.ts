import { execFile } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { PhotoWorkers } from '../../src/core/photos/photoWorkers.ts';
import { against, againstLimit, type Compared } from '../compare.ts';
import { inWorkshop, prepareAll, rate } from './workshop.ts';

const drawn = 10;
const resolution = 10;

const times = (files: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, index) => files[index % files.length] ?? '');

/** Draws photos in another process, because drawing uses more memory than the measured work. */
const drawElsewhere = async (folder: string): Promise<string[]> => {
  const drawing = new URL('./phonePhotos.ts', import.meta.url).href;
  const script = `import { drawPhonePhotos } from ${JSON.stringify(drawing)};
    console.log(JSON.stringify(await drawPhonePhotos(${JSON.stringify(folder)}, ${drawn})));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return z.array(z.string()).parse(JSON.parse(stdout));
};

/** Prepares large photos to get photos of 2 megapixels. */
const shrunken = async (workers: PhotoWorkers, files: readonly string[], outDir: string): Promise<string[]> => {
  const made = await Promise.all(files.map((source) => workers.prepare({ source, outDir })));
  return made.flatMap((photo) => (photo.ok ? [photo.path] : []));
};

export const benchMany = (): Promise<Compared[]> =>
  inWorkshop(async (folder, workers) => {
    const files = await drawElsewhere(folder);
    const small = await shrunken(workers, files, folder);
    /** Prepares in rounds with one folder each, because a copy in the same folder is prepared only once. */
    const inRounds = async (from: readonly string[], count: number): Promise<void> => {
      const waiting = times(from, count);
      await Promise.all(
        Array.from({ length: Math.ceil(count / drawn) }, () => prepareAll(workers, waiting.splice(0, drawn), folder)),
      );
    };
    await inRounds(files, drawn);
    const delay = monitorEventLoopDelay({ resolution });
    delay.enable();
    await inRounds(files, 200);
    delay.disable();
    const p99 = Math.max(0, delay.percentile(99) / 1e6 - resolution);
    const peak = process.resourceUsage().maxRSS / 1_024;
    const few = await rate(drawn, () => inRounds(small, drawn));
    const before = process.memoryUsage().rss;
    const many = await rate(1_000, () => inRounds(small, 1_000));
    return [
      againstLimit('event loop delay, p99, 200 photos of 12 MP in work', 'ms', p99, 20),
      againstLimit('peak memory of this process and its workers', 'MB', peak, 700),
      against('memory after 1,000 photos', 'MB', process.memoryUsage().rss / 2 ** 20, 'after 10', before / 2 ** 20),
      against('rate with 1,000 photos of 2 MP', 'photos/s', many, 'with 10', few),
    ];
  });
