import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { fixtures } from '../../helpers/fixtures.ts';
import { mutate, randomFrom } from './mutate.ts';
import { ready, startWorkers, tempDir } from './photoWorld.ts';

/** MUTATED_FILES=1000 for a long run; MUTATED_SEED for other files. */
const count = Number(process.env.MUTATED_FILES ?? 90);
const seed = Number(process.env.MUTATED_SEED ?? Date.now() % 100_000);

test(
  `damaged files are prepared or refused, never more (seed ${seed})`,
  { timeout: 30_000 + count * 1_000 },
  async () => {
    const dir = join(await fixtures(), 'good');
    const names = (await readdir(dir)).filter((name) => !/large|orientation-[2-8]/.test(name));
    const { workers, outDir } = await startWorkers();
    const place = await tempDir();
    const random = randomFrom(seed);
    const outcomes = new Map<string, number>();
    for (let index = 0; index < count; index += 1) {
      const name = names[index % names.length] ?? '';
      const source = join(place, `${index}-${name}`);
      await writeFile(source, mutate(await readFile(join(dir, name)), random));
      const photo = await workers.prepare({ source, outDir });
      const outcome = photo.ok ? 'ok' : photo.code;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      expect(outcome, `${source} of seed ${seed}`).not.toBe('WORKER_DIED');
      if (photo.ok) expect((await sharp(photo.path).metadata()).width).toBe(photo.width);
    }
    // Otherwise the damage would be too little, or too much, to tell anything.
    expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['ok', 'TRUNCATED', 'DAMAGED']));
    ready(await workers.prepare({ source: join(dir, 'photo.jpg'), outDir }));
  },
);
