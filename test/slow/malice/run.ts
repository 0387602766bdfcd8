import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { createDrawnFolder } from '../../helpers/photos/createDrawnFolder.ts';
import { startTestPractice } from '../../helpers/practice.ts';
import { createRandom } from '../../helpers/createRandom.ts';
import { startMaliciousService } from './service.ts';
import { diceFrom } from './spoil.ts';

/** The memory limit of the companion, whatever it receives. */
export const maxMegabytes = 300;

const fact = z.object({
  wrong: z.string().optional(),
  done: z.int().optional(),
  rss: z.int().optional(),
  heap: z.int().optional(),
  statuses: z.record(z.string(), z.int()).optional(),
});

export type Verdict = {
  /** What went wrong, each once. */
  wrong: string[];
  done: number;
  /** In bytes: the peak memory of the process, and its heap at the end. */
  rss: number;
  heap: number;
  statuses: Record<string, number>;
  requests: number;
  spoilt: number;
};

/** Runs a companion with a malicious service; `tell` gets every line that it prints. */
export const runMalice = async (
  acts: number,
  seed: number,
  tell: (line: string) => void = () => undefined,
): Promise<Verdict> => {
  const home = await mkdtemp(join(tmpdir(), 'malice-'));
  const practice = await startTestPractice();
  const service = await startMaliciousService(practice.url, diceFrom(createRandom(seed + 1)), () => 0.6);
  const photos = await createDrawnFolder(home, 'photos', 1);
  const given = { dataDir: join(home, 'data'), practiceUrl: practice.url, serviceUrl: service.url, photos, seed, acts };
  // A heap that needs more than this at any time ends the process.
  const flags = ['--expose-gc', `--max-old-space-size=${maxMegabytes}`];
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, 'companion.ts'), JSON.stringify(given)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const verdict: Verdict = { wrong: [], done: 0, rss: 0, heap: 0, statuses: {}, requests: 0, spoilt: 0 };
  let failed = '';
  child.stderr.on('data', (chunk: Buffer) => (failed = (failed + chunk.toString()).slice(-4_000)));
  const lines = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const { wrong, rss = 0, ...facts } = fact.parse(JSON.parse(line));
      if (wrong !== undefined && !verdict.wrong.includes(wrong)) verdict.wrong.push(wrong);
      Object.assign(verdict, facts, { rss: Math.max(verdict.rss, rss) });
      tell(line.slice(0, 300));
    }
  })();
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  await lines;
  if (code !== 0) verdict.wrong.push(`the process ended with ${code ?? signal}: ${failed}`);
  service.close();
  await practice.close();
  await rm(home, { recursive: true, force: true });
  return { ...verdict, ...service.counts };
};
