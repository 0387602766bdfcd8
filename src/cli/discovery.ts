import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { Problem } from '../core/base/problem.ts';

const discovery = z.object({ url: z.url(), mcpUrl: z.url(), pid: z.int().positive(), version: z.string() });
/** Where a running companion listens, as it wrote it down itself. */
export type Found = z.infer<typeof discovery>;

/** The problem that there is no companion to talk to. */
export const notRunning = (cause?: unknown): Problem =>
  new Problem('NOT_RUNNING', 'Listing Companion is not running. Start it, then try again.', { cause });

/** Another user's process of this number is not the companion either. */
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/**
 * Where the companion of a data folder listens. A file that a crash left behind is not believed: another program may
 * sit at that address and would be handed the token. Throws `NOT_RUNNING`.
 */
export const findCompanion = async (dataDir: string): Promise<Found> => {
  let text: string;
  try {
    text = await readFile(join(dataDir, 'bridge.json'), 'utf8');
  } catch (error) {
    throw notRunning(error);
  }
  const found = discovery.safeParse(JSON.parse(text));
  if (!found.success || !isAlive(found.data.pid)) throw notRunning();
  return found.data;
};
