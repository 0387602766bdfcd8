import type { Writable } from 'node:stream';
import { toPlainLine } from '../host/noticeText.ts';
import type { ParseArgsOptionsConfig } from 'node:util';
import { Problem } from '../core/base/problem.ts';
import type { BridgeClient, ClientPlace } from './bridgeClient.ts';

/** Scripts rely on these numbers. */
export const exitCodes = {
  ok: { code: 0, means: 'done' },
  refused: { code: 1, means: 'refused or failed' },
  misuse: { code: 2, means: 'the command line is wrong' },
  notReady: { code: 3, means: 'the companion is not running, or this command line is not paired with it' },
  waiting: { code: 4, means: 'it waits for the person' },
} as const;
type ExitName = keyof typeof exitCodes;

const notReady = new Set(['NOT_RUNNING', 'NOT_ANSWERING', 'DISCOVERY_UNREADABLE', 'NOT_PAIRED', 'UNAUTHORIZED']);
export const getExitName = (code: string): ExitName => {
  if (code === 'MISUSE') return 'misuse';
  return notReady.has(code) ? 'notReady' : 'refused';
};

export const createMisuseProblem = (sentence: string, field?: string): Problem =>
  new Problem('MISUSE', sentence, field === undefined ? {} : { field });

export type Streams = { stdout: Writable; stderr: Writable & { isTTY?: boolean } };

/** In JSON mode, a command writes exactly one value to stdout, even after an error. */
export type Output = {
  json: boolean;
  result: (lines: readonly string[], value: unknown) => void;
  note: (line: string) => void;
  /** Draws a bar on a terminal, and otherwise writes a line after every change. Writes nothing in JSON mode. */
  progress: (text: string, done: number, total: number) => void;
};

const barWidth = 24;
const formatProgressBar = (done: number, total: number): string => {
  const filled = total > 0 ? Math.round((barWidth * Math.min(done, total)) / total) : 0;
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`;
};

/** Untrusted text might contain invisible characters, or characters that move the cursor. */
export const toTerminalText = (text: unknown, maxChars = 80): string =>
  toPlainLine(typeof text === 'string' ? text : '', maxChars);

export const createCommandOutput = ({ stdout, stderr }: Streams, json: boolean): Output => {
  let last = '';
  let open = false;
  const endProgressLine = (): void => {
    if (open) stderr.write('\n');
    open = false;
  };
  return {
    json,
    result: (lines, value) => {
      endProgressLine();
      stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : lines.map((line) => `${line}\n`).join(''));
    },
    note: (line) => {
      endProgressLine();
      stderr.write(`${line}\n`);
    },
    progress: (text, done, total) => {
      if (json) return;
      const line = `${formatProgressBar(done, total)} ${text}`;
      if (line === last) return;
      last = line;
      if (stderr.isTTY) stderr.write(`\r\u001b[K${line}`);
      else stderr.write(`${text}\n`);
      open = stderr.isTTY === true;
    },
  };
};

export type CommandRun = {
  given: string[];
  flags: Record<string, string | boolean | undefined>;
  bridge: BridgeClient;
  place: ClientPlace;
  env: NodeJS.ProcessEnv;
  out: Output;
};

/** `flags` are valid in addition to the flags of every command. */
export type Command = {
  takes: readonly string[];
  flags: ParseArgsOptionsConfig;
  help: string;
  run: (run: CommandRun) => Promise<ExitName>;
};
