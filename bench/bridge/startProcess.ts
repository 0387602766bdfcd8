import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** Starts a script of this folder. Returns its first line of output, which it prints once it listens. */
export const startProcess = async (name: string, ...args: string[]): Promise<{ child: ChildProcess; line: string }> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return { child, line: line.toString().trim() };
};

const usage = z.object({ memoryBytes: z.number(), processorMicros: z.number() });

/** Answers each message with what this process uses. A script of this folder calls it. */
export const answerUsage = (): void => {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ memoryBytes: process.memoryUsage.rss(), processorMicros: user + system });
  });
};

/** Reads the memory that a started script uses, and its processor time since its start. */
export const readUsage = async (child: ChildProcess): Promise<z.infer<typeof usage>> => {
  child.send('usage');
  const [message] = (await once(child, 'message')) as [unknown];
  return usage.parse(message);
};
