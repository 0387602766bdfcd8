import { homedir } from 'node:os';
import * as z from 'zod';
import { getDefaultDataDir } from '../dataFolder.ts';
import type { Options } from '../options.ts';

/** The shell for which a command line is formatted. */
export type Shell = 'posix' | 'powershell';

/** Returns the usual shell of a system. */
export const chooseUserShell = (platform: NodeJS.Platform): Shell => (platform === 'win32' ? 'powershell' : 'posix');

const plainPosix = /^[\w./:@%+=,-]+$/;
const quotePosixWord = (word: string): string =>
  plainPosix.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

const plainWindows = /^[\w.\\/:+=,-]+$/;
/** Doubles trailing backslashes, which would escape the closing quote for the started program. */
const doubleTrailingBackslashes = (word: string): string => word.replace(/\\+$/, '$&$&');
/** Quotes a word with double quotes, which cmd accepts too, unless a shell would expand something in it. */
const quotePowershellWord = (word: string): string => {
  // PowerShell removes a bare "--" when the program is a PowerShell script.
  if (plainWindows.test(word) && word !== '--') return word;
  if (!/[$`%!"“”„]/.test(word)) return `"${doubleTrailingBackslashes(word)}"`;
  return `'${doubleTrailingBackslashes(word).replaceAll(/['‘’‚‛]/g, '$&$&')}'`;
};

const wordQuoters = { posix: quotePosixWord, powershell: quotePowershellWord } satisfies Record<
  Shell,
  (word: string) => string
>;

/** Formats one line for a terminal that passes exactly these words. */
export const formatShellLine = (shell: Shell, words: readonly string[]): string =>
  words.map(wordQuoters[shell]).join(' ');

/** A program by its absolute path, and its first arguments. */
export type StartCommand = { program: string; args: readonly string[] };

/** The environment variable that names the command line when Electron runs from the sources: a JSON array of words. */
const commandVariable = 'LISTING_COMPANION_COMMAND';

const commandWords = z
  .string()
  .transform((text) => JSON.parse(text) as unknown)
  .pipe(z.tuple([z.string().min(1)], z.string()));

const parseNamedCommand = (text: string): StartCommand => {
  const [program, ...args] = commandWords.parse(text);
  return { program, args };
};

type DesktopProcess = {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  program: string;
  /** The app's folder if it is not packaged, else null. */
  appDir: string | null;
  /** Whether this process runs without Chromium's sandbox, which root requires. */
  noSandbox: boolean;
};

/**
 * Returns the command line inside the desktop app; for an unpackaged app, the command that the development script
 * named. Clients start it with almost no environment. On Linux, Chromium exits without a display unless it is told to
 * run headless.
 */
export const createDesktopCommand = ({ platform, env, program, appDir, noSandbox }: DesktopProcess): StartCommand => {
  const named = appDir === null ? undefined : env[commandVariable];
  if (named !== undefined) return parseNamedCommand(named);
  return {
    // The mounted program of an AppImage disappears when its process ends.
    program: (appDir === null && env['APPIMAGE']) || program,
    args: [
      ...(platform === 'linux' ? ['--ozone-platform=headless'] : []),
      ...(noSandbox ? ['--no-sandbox'] : []),
      ...(appDir === null ? [] : [appDir]),
    ],
  };
};

/**
 * Returns the default data folder as a client's process computes it: clients pass on the home folder and few other
 * variables.
 */
const getUsualDataDir = (env: NodeJS.ProcessEnv): string => {
  const passedOn = process.platform === 'win32' ? { APPDATA: env['APPDATA'], LOCALAPPDATA: env['LOCALAPPDATA'] } : {};
  return getDefaultDataDir({ platform: process.platform, env: passedOn, home: homedir() });
};

/** What the command line needs to find this companion and to use the same keychain. */
export type DataPlace = Pick<Options, 'dataDir' | 'ownData' | 'keychain'>;

/** Whether the command line must be given the data folder explicitly. */
export const mustNameData = ({ dataDir, ownData }: DataPlace, env: NodeJS.ProcessEnv = process.env): boolean =>
  ownData || dataDir !== getUsualDataDir(env);

/** Returns the command that serves this companion's tools over stdio. It works without a PATH and from any folder. */
export const createMcpCommand = ({ program, args }: StartCommand, place: DataPlace): StartCommand => ({
  program,
  args: [
    ...args,
    'mcp',
    ...(mustNameData(place) ? ['--data', place.dataDir] : []),
    ...(place.keychain === 'memory' ? ['--keychain', 'memory'] : []),
  ],
});
