import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { plainHost } from './programs.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const started = z.object({ ui: z.url(), bridge: z.url(), service: z.url() });

/** The plain Node host in a separate process, with its printed addresses. */
export type Headless = z.infer<typeof started> & {
  /** Returns the terminal output so far. */
  terminal: () => string;
  /** Interrupts the host like Ctrl-C and returns its exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
};

/** The end of a host that did not start. */
export type Ended = { code: number | null; stderr: string };

/** Flags that isolate a test: its own folder, no browser, no keychain, any free port. */
export const testFlags = (dataDir: string): string[] => [
  ...['--no-open', '--data', dataDir],
  ...['--keychain', 'memory', '--bridge-port', '0'],
];

/** A larger heap for new objects: hosts of tests are short-lived and spent a sixth of their time collecting garbage. */
const roomForGarbage = '--min-semi-space-size=16';

/** Runs the headless host with these flags until it has started or ended. */
export const runHeadless = async (
  flags: readonly string[],
  env: Record<string, string> = {},
): Promise<Headless | Ended> => {
  const child = spawn(process.execPath, [roomForGarbage, plainHost, ...flags], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr }));
  const line = once(createInterface(child.stdout), 'line').then(([text]) => started.parse(JSON.parse(String(text))));
  const first = await Promise.race([line, ended]);
  if ('code' in first) return first;
  return {
    ...first,
    terminal: () => stderr,
    stop: async (signal = 'SIGINT') => {
      child.kill(signal);
      return (await ended).code;
    },
  };
};

/** Starts the headless host, and throws if it ends instead. */
export const startHeadless = async (flags: readonly string[], env: Record<string, string> = {}): Promise<Headless> => {
  const headless = await runHeadless(flags, env);
  if ('code' in headless) throw new Error(`The headless host ended (${String(headless.code)}): ${headless.stderr}`);
  return headless;
};
