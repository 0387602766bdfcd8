import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPhotoWorkers } from '../../../src/core/photos/photoWorkers.ts';
import { expectPrepared, createTempDir } from '../../helpers/photos/photoWorld.ts';
import { listDescendants } from '../../helpers/hosts/listDescendants.ts';
import { getFixtureFolder } from '../../helpers/photos/getFixtureFolder.ts';
import { sampleSize } from '../../helpers/sample.ts';
import { waitUntil, createTestClock } from '../../helpers/testClock.ts';
import { watchKitchens } from '../../helpers/photos/kitchens.ts';

const readMegabytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

test.skipIf(process.platform !== 'linux')(
  'the memory of the photo process does not grow with the number of photos',
  async () => {
    const clock = createTestClock();
    const { startKitchen, started } = watchKitchens();
    /** Excludes processes that already exist, such as the kitchen shared with other tests. */
    const before = new Set(listDescendants(process.pid));
    const own = (): number[] => listDescendants(process.pid).filter((pid) => !before.has(pid));
    const workers = createPhotoWorkers({ startKitchen, sleep: clock.sleep });
    onTestFinished(() => workers.close());
    const outDir = await createTempDir();
    const source = join(await getFixtureFolder(), 'good', 'large.jpg');
    const many = sampleSize(200, 20);
    const prepareSome = async (from: number): Promise<number> => {
      const all = Array.from({ length: many }, (_, nth) => workers.prepare({ source, outDir, longEdgePx: from + nth }));
      for (const photo of await Promise.all(all)) expectPrepared(photo);
      return [process.pid, ...own()].reduce((sum, pid) => sum + readMegabytes(pid), 0);
    };
    await prepareSome(800);
    const first = await prepareSome(800 + many);
    const after = await prepareSome(800 + 2 * many);
    expect(after).toBeLessThan(first * 1.2 + 30);
    await waitUntil(() => clock.next() === 15_000, 'the rest');
    clock.advance(15_000);
    await started[0]?.ended;
    await waitUntil(() => own().length === 0, 'the end of all of it');
  },
  60_000 + sampleSize(200, 20) * 3_000,
);
