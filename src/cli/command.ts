import type { ParseArgsOptionsConfig } from 'node:util';
import type { Bridge } from './bridge.ts';
import type { Exit } from './exitCodes.ts';
import type { Output } from './output.ts';

/** What a command is run with. */
export type Run = {
  /** What was given besides flags, as many as `takes` has names. */
  given: string[];
  flags: Record<string, string | boolean | undefined>;
  bridge: Bridge;
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
