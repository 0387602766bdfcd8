import { app } from 'electron';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { photoProcesses } from '../startKitchen.ts';

/** A program with windows has streams that end at once on Windows; what its starter gave it is behind the numbers still. */
const openStreams = (): void => {
  if (process.platform !== 'win32') return;
  const give = (name: 'stdin' | 'stdout' | 'stderr', stream: object): void =>
    void Object.defineProperty(process, name, { value: stream, configurable: true });
  give('stdin', createReadStream('', { fd: 0 }));
  give('stdout', createWriteStream('', { fd: 1 }));
  give('stderr', createWriteStream('', { fd: 2 }));
};

/**
 * Runs a command of the command line in this process, without a window, and ends the process with its exit code. A companion that runs
 * beside it is not disturbed: Chromium's own data goes to a folder that is removed again.
 */
export const runCommand = async (words: readonly string[]): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'listing-companion-command-'));
  app.setPath('userData', folder);
  app.dock?.hide();
  openStreams();
  const { runCli } = await import('../../cli/runCli.ts');
  const { stdout, stderr, env } = process;
  const code = await runCli([...words], {
    stdout,
    stderr,
    env,
    startKitchen: photoProcesses(join(app.getAppPath(), 'out')).startKitchen,
  });
  rmSync(folder, { recursive: true, force: true });
  app.exit(code);
};
