import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/** The copy of the app that runs: compiled code is kept under the paths of its files. */
export type RunningCopy = { appPath: string; version: string; env: NodeJS.ProcessEnv };

const removeOthers = async (dir: string, kept: string): Promise<void> => {
  const others = (await readdir(dir).catch(() => [])).filter((name) => name !== kept);
  await Promise.all(others.map((name) => rm(join(dir, name), { recursive: true, force: true }).catch(() => undefined)));
};

/**
 * Has Node keep what it compiles from here on in a folder below `windowData`, beside what Chromium keeps of the page, so
 * that the next start need not compile it again. What another copy or version left there is removed. An AppImage lies
 * under another path in every start and would never find it again.
 */
export const keepCompiledCode = (windowData: string, { appPath, version, env }: RunningCopy): void => {
  if (env['APPIMAGE'] !== undefined) return;
  const dir = join(windowData, 'compiled');
  const copy = createHash('sha256').update(`${appPath}\n${version}`).digest('hex').slice(0, 16);
  // Where it fails, as on a full disk, the start takes its time.
  enableCompileCache(join(dir, copy));
  void removeOthers(dir, copy);
};

/** Writes what was compiled and is not on the disk yet. Electron ends without doing so. */
export const writeCompiledCode = (): void => flushCompileCache();
