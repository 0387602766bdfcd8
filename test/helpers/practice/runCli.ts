import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const cli = fileURLToPath(new URL('../../../src/practice/cli.ts', import.meta.url));
const children = new Set<ChildProcess>();

/** Runs the service alone, like `npm run practice`. */
export const runCli = (...args: string[]) => {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const url = async (): Promise<string> => {
    while (!out.includes('\n')) await new Promise((resolve) => setTimeout(resolve, 20));
    const last = out.trim().split('\n').at(-1) ?? '';
    return z.object({ practice: z.url() }).parse(JSON.parse(last)).practice;
  };
  return { child, ended, url, err: () => err };
};

/** Ends the processes that a test left running. */
export const killAll = (): void => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
};
