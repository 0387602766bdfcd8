import { homedir } from 'node:os';
import * as z from 'zod';
import { getDefaultDataDir } from '../data/dataFolder.ts';
import type { Options } from '../options.ts';

export type Shell = 'posix' | 'powershell';

export const chooseUserShell = (platform: NodeJS.Platform): Shell => (platform === 'win32' ? 'powershell' : 'posix');

const plainPosix = /^[\w./:@%+=,-]+$/;
const quotePosixWord = (word: string): string =>
  plainPosix.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

const plainWindows = /^[\w.\\/:+=,-]+$/;
/** The started program would treat a trailing backslash as an escape of the closing quote. */
const doubleTrailingBackslashes = (word: string): string => word.replace(/\\+$/, '$&$&');
/** Prefers double quotes, because cmd accepts no others. Single quotes are used if a shell would expand a character. */
const quotePowershellWord = (word: string): string => {
  // PowerShell removes a bare "--" if the program is a PowerShell script.
  if (plainWindows.test(word) && word !== '--') return word;
  if (!/[$`%!"“”„]/.test(word)) return `"${doubleTrailingBackslashes(word)}"`;
  return `'${doubleTrailingBackslashes(word).replaceAll(/['‘’‚‛]/g, '$&$&')}'`;
};

const wordQuoters = { posix: quotePosixWord, powershell: quotePowershellWord } satisfies Record<
  Shell,
  (word: string) => string
>;

export const formatShellLine = (shell: Shell, words: readonly string[]): string =>
  words.map(wordQuoters[shell]).join(' ');

export type StartCommand = { program: string; args: readonly string[] };

/**
 * The variable contains the start command as a JSON array of words. The development script sets it, because Electron
 * then runs from the sources.
 */
const commandVariable = 'LISTING_COMPANION_COMMAND';

const commandWords = z
  .string()
  .transform((text) => JSON.parse(text) as unknown)
  .pipe(z.tuple([z.string().min(1)], z.string()));

const parseCommandVariable = (text: string): StartCommand => {
  const [program, ...args] = commandWords.parse(text);
  return { program, args };
};

type DesktopProcess = {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  program: string;
  appDir: string | null;
  /** Root can run Chromium only without its sandbox. */
  noSandbox: boolean;
};

/** On Linux, Chromium exits without a display unless the command asks for headless mode. */
export const createDesktopCommand = ({ platform, env, program, appDir, noSandbox }: DesktopProcess): StartCommand => {
  const named = appDir === null ? undefined : env[commandVariable];
  if (named !== undefined) return parseCommandVariable(named);
  return {
    // The mounted program of an AppImage disappears when the process ends, so name the AppImage file.
    program: (appDir === null && env['APPIMAGE']) || program,
    args: [
      ...(platform === 'linux' ? ['--ozone-platform=headless'] : []),
      ...(noSandbox ? ['--no-sandbox'] : []),
      ...(appDir === null ? [] : [appDir]),
    ],
  };
};

/**
 * A client passes only the home folder and a few other variables to the command, so this function must ignore all other
 * variables.
 */
const getDefaultDataDirForClients = (env: NodeJS.ProcessEnv): string => {
  const passedOn = process.platform === 'win32' ? { APPDATA: env['APPDATA'], LOCALAPPDATA: env['LOCALAPPDATA'] } : {};
  return getDefaultDataDir({ platform: process.platform, env: passedOn, home: homedir() });
};

export type DataPlace = Pick<Options, 'dataDir' | 'ownData' | 'keychain'>;

export const mustPassDataDir = ({ dataDir, ownData }: DataPlace, env: NodeJS.ProcessEnv = process.env): boolean =>
  ownData || dataDir !== getDefaultDataDirForClients(env);

/** The command works without a PATH and in any folder. */
export const createMcpCommand = ({ program, args }: StartCommand, place: DataPlace): StartCommand => ({
  program,
  args: [
    ...args,
    'mcp',
    ...(mustPassDataDir(place) ? ['--data', place.dataDir] : []),
    ...(place.keychain === 'memory' ? ['--keychain', 'memory'] : []),
  ],
});
