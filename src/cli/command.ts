import type { Writable } from 'node:stream';
import { plainLine } from '../host/noticeText.ts';
import type { ParseArgsOptionsConfig } from 'node:util';
import type { Bridge, Place } from './bridgeClient.ts';

/** How the command line ends. Scripts rely on these numbers. */
export const exitCodes = {
  ok: { code: 0, means: 'done' },
  refused: { code: 1, means: 'refused or failed' },
  misuse: { code: 2, means: 'the command line is wrong' },
  notReady: { code: 3, means: 'the companion is not running, or this command line is not paired with it' },
  waiting: { code: 4, means: 'it waits for the person' },
} as const;
/** A way to end, by its name. */
type Exit = keyof typeof exitCodes;

const notReady = new Set(['NOT_RUNNING', 'NOT_ANSWERING', 'DISCOVERY_UNREADABLE', 'NOT_PAIRED', 'UNAUTHORIZED']);
/** How the command line ends after a problem of this code. */
export const exitOf = (code: string): Exit => {
  if (code === 'MISUSE') return 'misuse';
  return notReady.has(code) ? 'notReady' : 'refused';
};

/** The streams of the process. */
export type Streams = { stdout: Writable; stderr: Writable & { isTTY?: boolean } };

/** What a command writes. In JSON there is exactly one value on stdout, whatever happens. */
export type Output = {
  json: boolean;
  /** The result: lines for a person, or the value as JSON. */
  result: (lines: readonly string[], value: unknown) => void;
  /** A line for the person while it runs; never in the result. */
  note: (line: string) => void;
  /** How far something has come: a bar on a terminal, a line for every change elsewhere, nothing in JSON. */
  progress: (text: string, done: number, total: number) => void;
};

const width = 24;
const bar = (done: number, total: number): string => {
  const filled = total > 0 ? Math.round((width * Math.min(done, total)) / total) : 0;
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`;
};

/** Somebody else's text on a terminal: one line, nothing that moves the cursor or hides. */
export const terminalText = (text: unknown, most = 80): string => plainLine(typeof text === 'string' ? text : '', most);

/** Writes to the streams of the process; with `json`, one value. */
export const createOutput = ({ stdout, stderr }: Streams, json: boolean): Output => {
  let last = '';
  let open = false;
  /** Ends the line of the bar before anything else is written. */
  const close = (): void => {
    if (open) stderr.write('\n');
    open = false;
  };
  return {
    json,
    result: (lines, value) => {
      close();
      stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : lines.map((line) => `${line}\n`).join(''));
    },
    note: (line) => {
      close();
      stderr.write(`${line}\n`);
    },
    progress: (text, done, total) => {
      if (json) return;
      const line = `${bar(done, total)} ${text}`;
      if (line === last) return;
      last = line;
      if (stderr.isTTY) stderr.write(`\r\u001b[K${line}`);
      else stderr.write(`${text}\n`);
      open = stderr.isTTY === true;
    },
  };
};

/** What a command is run with. */
export type Run = {
  /** What was given besides flags, as many as `takes` has names. */
  given: string[];
  flags: Record<string, string | boolean | undefined>;
  bridge: Bridge;
  place: Place;
  env: NodeJS.ProcessEnv;
  out: Output;
};

/** One command of the command line. Its flags stand beside the common ones. */
export type Command = {
  /** Names of what it takes besides flags. */
  takes: readonly string[];
  flags: ParseArgsOptionsConfig;
  /** The help: a line for each flag, and what there is to know. */
  help: string;
  run: (run: Run) => Promise<Exit>;
};
