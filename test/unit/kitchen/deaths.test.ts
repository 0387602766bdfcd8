import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Log } from '../../../src/core/base/ports.ts';
import { createPhotoWorkers } from '../../../src/core/photos/photoWorkers.ts';
import { expectPrepared, createTempDir } from '../../helpers/photos/photoWorld.ts';
import { signalAll } from '../../helpers/hosts/listDescendants.ts';
import { getFixtureFolder } from '../../helpers/photos/getFixtureFolder.ts';
import { createRandom } from '../../helpers/createRandom.ts';
import { sampledBy, sampleSeed, sampleSize } from '../../helpers/sample.ts';
import { waitUntil, createTestClock } from '../../helpers/testClock.ts';
import { crashOnMarked, prependToKitchen, marked, watchKitchens } from '../../helpers/photos/kitchens.ts';

type WorkersOptions = Omit<Parameters<typeof createPhotoWorkers>[0], 'log'>;

const startWorkers = async (options: WorkersOptions) => {
  const lines: string[] = [];
  const log: Log = (level, message, facts = {}) => {
    if (level !== 'info') lines.push(`${message} ${JSON.stringify(facts)}`);
  };
  const workers = createPhotoWorkers({ ...options, log });
  onTestFinished(() => workers.close());
  return { workers, lines, outDir: await createTempDir() };
};

test('a photo that crashes the photo process repeatedly is refused, but other photos are prepared', async () => {
  const { startKitchen, started } = watchKitchens(await prependToKitchen(crashOnMarked));
  const { workers, lines, outDir } = await startWorkers({ startKitchen, size: 4 });
  const source = join(await getFixtureFolder(), 'good', 'large.jpg');
  const sizes = [700, 701, marked, 702, 703, 704, 705];
  const made = await Promise.all(sizes.map((longEdgePx) => workers.prepare({ source, outDir, longEdgePx })));
  expect(made.map((photo) => (photo.ok ? photo.width : photo.code))).toEqual([
    700,
    701,
    'WORKER_DIED',
    702,
    703,
    704,
    705,
  ]);
  // Once with other photos, which proves nothing, and twice alone.
  expect(started.length).toBe(4);
  expect(lines).toEqual(Array(3).fill('The process that decodes photos ended. {"cause":"itself","how":"code 7"}'));
}, 60_000);

/** Prepares `photos` photos with a kitchen that is killed `kills` times while it works. */
const prepareDespiteKills = async (photos: number, kills: number, seed: number): Promise<void> => {
  const { startKitchen, started } = watchKitchens();
  const { workers, outDir } = await startWorkers({ startKitchen });
  const dir = await createTempDir();
  const random = createRandom(seed);
  const good = join(await getFixtureFolder(), 'good', 'large.jpg');
  const sources = Array.from({ length: photos }, (_, nth) => join(dir, `${nth}.jpg`));
  for (const source of sources) await copyFile(good, source);
  let killed = 0;
  /** Prepares all photos in different sizes and kills the kitchen while it works. */
  const round = async (from: number): Promise<void> => {
    let isDone = false;
    const all = Promise.all(sources.map((source, nth) => workers.prepare({ source, outDir, longEdgePx: from + nth })));
    const done = all.finally(() => (isDone = true));
    for (; killed < kills && !isDone; killed += 1) {
      const before = started.length;
      // Most kills come early, some late.
      await Promise.race([done, wait(random() ** 2 * 900)]);
      const pid = started.at(-1)?.pid;
      if (pid !== undefined) signalAll(pid, 'SIGKILL');
      // The next kill requires a running kitchen.
      await waitUntil(() => started.length > before || isDone, 'the next one');
    }
    expect((await all).map((photo, nth) => (photo.ok ? photo.width : `${photo.code} of ${nth}`))).toEqual(
      sources.map((_, nth) => from + nth),
    );
  };
  for (let from = 400; killed < kills; from += photos) await round(from);
  expect(killed).toBe(kills);
};

test.skipIf(process.platform === 'win32')(
  `no photo is lost if the photo process is killed from outside (${sampledBy})`,
  async () => {
    const [photos, kills] = [sampleSize(200, 12), sampleSize(1_000, 8)];
    // The lanes run in parallel because most of the time is spent waiting for the next kill.
    const lanes = sampleSize(4, 2);
    await Promise.all(
      Array.from({ length: lanes }, (_, lane) => prepareDespiteKills(photos / lanes, kills / lanes, sampleSeed + lane)),
    );
  },
  60_000 + sampleSize(1_000, 8) * 4_000,
);

test('the photo process ends after its idle time, and the next photo starts another process', async () => {
  const clock = createTestClock();
  const { startKitchen, started } = watchKitchens();
  const { workers, outDir, lines } = await startWorkers({ startKitchen, sleep: clock.sleep });
  const source = join(await getFixtureFolder(), 'good', 'photo.jpg');
  expectPrepared(await workers.prepare({ source, outDir, longEdgePx: 300 }));
  await waitUntil(() => clock.next() !== null, 'the rest');
  expect(clock.next()).toBe(15_000);
  clock.advance(14_999);
  expectPrepared(await workers.prepare({ source, outDir, longEdgePx: 301 }));
  expect(started.length).toBe(1);
  await waitUntil(() => clock.next() === 15_000, 'the rest');
  clock.advance(15_000);
  expect(await started[0]?.ended).toMatchObject({ cause: 'asked' });
  expectPrepared(await workers.prepare({ source, outDir, longEdgePx: 302 }));
  expect(started.length).toBe(2);
  expect(lines).toEqual([]);
});

test('a photo is not blamed for a photo process that cannot be started', async () => {
  const { startKitchen } = watchKitchens(await prependToKitchen('process.exit(3);'));
  const { workers, outDir, lines } = await startWorkers({ startKitchen, size: 1 });
  const source = join(await getFixtureFolder(), 'good', 'photo.jpg');
  expect(await workers.prepare({ source, outDir })).toMatchObject({ ok: false, code: 'MACHINE_BUSY' });
  expect(lines.length).toBe(5);
});
