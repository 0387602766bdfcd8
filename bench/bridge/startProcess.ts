import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a script of this folder. Returns its first line of output, which it prints once it listens. */
export const startProcess = async (name: string, ...args: string[]): Promise<{ child: ChildProcess; line: string }> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return { child, line: line.toString().trim() };
};
