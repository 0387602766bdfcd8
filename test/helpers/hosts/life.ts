import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

export type Life = {
  dataDir: string;
  practiceUrl: string;
  /** The photos of the one item. */
  folder: string;
  email: string;
};
/** Where the process ends: at a named moment, at the first that is not among those named, or never by itself. */
export type End = { when: 'at'; moment: string } | { when: 'atAnyBut'; moments: string[] } | { when: 'never' };

const said = z.union([z.object({ moment: z.string() }), z.object({ items: z.array(z.int()) })]);
const script = fileURLToPath(new URL('../processes/lifeProcess.ts', import.meta.url));

export type Lived = {
  /** The moments it met, each once, in their order; the last is where it was ended. */
  moments: string[];
  /** How many photos each item has, when it came to the end of the story; null when it was killed before. */
  items: number[] | null;
};

/**
 * Lets a companion and its person go on with their story in a process of its own (see lifeProcess.ts), killed where `end`
 * says, or after so many ms. Throws when it ends with an error of its own.
 */
export const live = async (life: Life, end: End, killAfterMs?: number): Promise<Lived> => {
  const child = spawn(process.execPath, [script, JSON.stringify({ ...life, end })], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lived: Lived = { moments: [], items: null };
  let trouble = '';
  child.stderr.on('data', (data: Buffer) => void (trouble += data.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const fact = said.parse(JSON.parse(line));
    if ('moment' in fact) lived.moments.push(fact.moment);
    else lived.items = fact.items;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs ?? 60_000);
  const [code, signal] = z.tuple([z.int().nullable(), z.string().nullable()]).parse(await once(child, 'close'));
  clearTimeout(timer);
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`A life ended with ${code}: ${trouble}`);
  return lived;
};
