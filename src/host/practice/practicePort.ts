import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf } from '../../loopback/http.ts';
import { startPractice, type Practice, type PracticeConfig } from '../../practice/startPractice.ts';

/** The port of the last run; undefined where nothing that could be one is kept. */
const lastPort = (file: string): number | undefined => {
  try {
    const text = readFileSync(file, 'utf8');
    return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
  } catch {
    return undefined;
  }
};

const isTaken = (error: unknown): boolean => ['EADDRINUSE', 'EACCES'].includes(systemCodeOf(error) ?? '');

/**
 * Starts the practice service on the port of its last run, or on a free one where another program has that now. Live pages
 * and photos have their addresses there, and a question that waits over a restart is bound to the listing with them.
 */
export const startOnLastPort = async (config: PracticeConfig): Promise<Practice> => {
  const file = join(config.dataDir, 'port');
  const port = lastPort(file);
  const practice = await startPractice({ ...config, ...(port === undefined ? {} : { port }) }).catch(
    (error: unknown) => {
      if (port === undefined || !isTaken(error)) throw error;
      return startPractice(config);
    },
  );
  const now = new URL(practice.url).port;
  if (now !== String(port)) await keep(file, now);
  return practice;
};

const keep = async (file: string, text: string): Promise<void> => {
  await writeFile(`${file}.part`, text);
  await rename(`${file}.part`, file);
};
