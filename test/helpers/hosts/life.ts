import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { End } from '../processes/endAtMoment.ts';

export type Life = {
  dataDir: string;
  practiceUrl: string;
  /** The photos of the one item. */
  folder: string;
  email: string;
};

const moment = z.object({ moment: z.string() });
/** The script of a process that {@link runUntilEnd} runs. */
export const scriptOf = (name: string): string => fileURLToPath(new URL(`../processes/${name}.ts`, import.meta.url));

/**
 * Runs a script that tells what it meets (see endAtMoment.ts), killed where its `end` says, or after so many ms. Answers the
 * moments it met, each once, in their order (the last is where it was ended), and the last fact it told; null when it was
 * killed before. Throws when it ends with an error of its own.
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
  /** The moments it met, each once, in their order; the last is where it was ended. */
  moments: string[];
  /** How many photos each item has, when it came to the end of the story; null when it was killed before. */
  items: number[] | null;
};

/** Lets a companion and its person go on with their story in a process of its own; see lifeProcess.ts and `runUntilEnd`. */
export const live = async (life: Life, end: End, killAfterMs?: number): Promise<Lived> => {
  const told = z.object({ items: z.array(z.int()) });
  const { moments, fact } = await runUntilEnd(scriptOf('lifeProcess'), { ...life, end }, told, killAfterMs);
  return { moments, items: fact?.items ?? null };
};
