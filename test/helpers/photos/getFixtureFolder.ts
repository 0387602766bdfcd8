import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = fileURLToPath(new URL('../../../scripts/makeFixtures.mjs', import.meta.url));

const createFixtures = async (): Promise<string> => {
  const key = createHash('sha256')
    .update(await readFile(script))
    .digest('hex')
    .slice(0, 16);
  const place = join(tmpdir(), `listing-companion-fixtures-${key}`);
  if (existsSync(place)) return place;
  const beside = await mkdtemp(`${place}-`);
  await promisify(execFile)(process.execPath, [script, beside]);
  // Another test file may have created the same folder first.
  await rename(beside, place).catch(() => rm(beside, { recursive: true, force: true }));
  return place;
};

let made: Promise<string> | undefined;

/**
 * Returns the folder of drawn test photos (good/, colour/, bad/, folders/), created once per version of their script.
 */
export const getFixtureFolder = (): Promise<string> => (made ??= createFixtures());
