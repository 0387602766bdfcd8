import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { End } from '../processes/endAtMoment.ts';

export type Life = {
  dataDir: string;
  practiceUrl: string;
  /** The folder with the photos of the only item. */
  folder: string;
  email: string;
};

const moment = z.object({ moment: z.string() });
/** Returns the path of a script for {@link runUntilEnd}. */
export const getScriptPath = (name: string): string =>
  fileURLToPath(new URL(`../processes/${name}.ts`, import.meta.url));

/**
 * Runs a script that reports its failpoints (see endAtMoment.ts) and is killed where `end` says or after this many ms.
 * Returns the failpoints met, each once and in order (the last is where it was killed), and the last fact reported;
 * null if it was killed before. Throws if the script fails.
 */
export const runUntilEnd = async <S extends z.ZodType>(
  script: string,
  args: { end: End; [name: string]: unknown },
  fact: S,
  killAfterMs = 60_000,
): Promise<{ moments: string[]; fact: z.output<S> | null }> => {
  const child = spawn(process.execPath, [script, JSON.stringify(args)], { stdio: ['ignore', 'pipe', 'pipe'] });
  const moments: string[] = [];
  let last: z.output<S> | null = null;
  let trouble = '';
  child.stderr.on('data', (data: Buffer) => void (trouble += data.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const told: unknown = JSON.parse(line);
    const met = moment.safeParse(told).data;
    if (met) moments.push(met.moment);
    else last = fact.parse(told);
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const [code, signal] = z.tuple([z.int().nullable(), z.string().nullable()]).parse(await once(child, 'close'));
  clearTimeout(timer);
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`A process ended with ${code}: ${trouble}`);
  return { moments, fact: last };
};

export type Lived = {
  /** The failpoints met, each once and in order; the last is where the process was killed. */
  moments: string[];
  /** The number of photos of each item at the end of the story; null if the process was killed before. */
  items: number[] | null;
};

/** Continues the story of a companion and its person in a separate process; see lifeProcess.ts and `runUntilEnd`. */
export const continueLife = async (life: Life, end: End, killAfterMs?: number): Promise<Lived> => {
  const told = z.object({ items: z.array(z.int()) });
  const { moments, fact } = await runUntilEnd(getScriptPath('lifeProcess'), { ...life, end }, told, killAfterMs);
  return { moments, items: fact?.items ?? null };
};
