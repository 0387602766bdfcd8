import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { corpus } from '../helpers/photos/corpus.ts';
import { getFixtureFolder } from '../helpers/photos/getFixtureFolder.ts';
import { createRandom } from '../helpers/createRandom.ts';
import { drawSample, sampleSeed, sampleSize } from '../helpers/sample.ts';
import { mutate } from './mutate.ts';
import { expectPrepared, startWorkers, createTempDir } from '../helpers/photos/photoWorld.ts';

/** COMPANION_SEED=n damages the same files in the same way again. */
const seed = sampleSeed;
const count = sampleSize(1_000, 60);

test(`damaged photos are either prepared or refused (seed ${seed})`, { timeout: 30_000 + count * 1_000 }, async () => {
  const drawn = join(await getFixtureFolder(), 'good');
  const names = (await readdir(drawn)).filter((name) => !/large|orientation-[2-8]/.test(name));
  // Generated photos of every format, and real photos if this machine has them.
  const all = [
    ...names.map((name) => join(drawn, name)),
    ...(corpus?.files ?? [])
      .filter(({ expected }) => expected.outcome === 'ok')
      .map(({ path }) => join(corpus?.dir ?? '', path)),
  ];
  const originals = drawSample('originals', all, count);
  const { workers, outDir } = await startWorkers();
  const folder = await createTempDir();
  const random = createRandom(seed);
  const outcomes = new Map<string, number>();
  for (let index = 0; index < count; index += 1) {
    const original = originals[index % originals.length] ?? '';
    const source = join(folder, `${index}-${basename(original)}`);
    await writeFile(source, mutate(await readFile(original), random));
    const photo = await workers.prepare({ source, outDir });
    const outcome = photo.ok ? 'ok' : photo.code;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    expect(outcome, `${source} of seed ${seed}`).not.toBe('WORKER_DIED');
    if (photo.ok) expect((await sharp(photo.path).metadata()).width).toBe(photo.width);
  }
  // The damage must be neither too small nor too large to test anything.
  expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['ok', 'TRUNCATED', 'DAMAGED']));
  expectPrepared(await workers.prepare({ source: join(drawn, 'photo.jpg'), outDir }));
});
