import { homedir } from 'node:os';
import * as z from 'zod';
import { defaultDataDir } from '../dataFolder.ts';
import type { Options } from '../options.ts';

/** The shell that a text for a terminal is written for. */
export type Shell = 'posix' | 'powershell';

/** The shell that a person of this system has before them. */
export const shellOf = (platform: NodeJS.Platform): Shell => (platform === 'win32' ? 'powershell' : 'posix');

const plainPosix = /^[\w./:@%+=,-]+$/;
const posixWord = (word: string): string =>
  plainPosix.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

const plainWindows = /^[\w.\\/:+=,-]+$/;
/** A backslash before the closing quote would escape it for the program that is started. */
const endQuoted = (word: string): string => word.replace(/\\+$/, '$&$&');
/** In double quotes, which cmd takes as well, unless one of the shells would put something in its place. */
const powershellWord = (word: string): string => {
  // PowerShell keeps a bare "--" for itself when the program is a script of its own.
  if (plainWindows.test(word) && word !== '--') return word;
  if (!/[$`%!"“”„]/.test(word)) return `"${endQuoted(word)}"`;
  return `'${endQuoted(word).replaceAll(/['‘’‚‛]/g, '$&$&')}'`;
};

const wordIn = { posix: posixWord, powershell: powershellWord } satisfies Record<Shell, (word: string) => string>;

/** One line for a terminal that means exactly these words. */
export const shellLine = (shell: Shell, words: readonly string[]): string => words.map(wordIn[shell]).join(' ');

/** A program by its whole path, and the arguments that come first. */
export type StartCommand = { program: string; args: readonly string[] };

/** The variable in which what starts Electron from the sources names the command line: a JSON array of words. */
const commandVariable = 'LISTING_COMPANION_COMMAND';

const words = z
  .string()
  .transform((text) => JSON.parse(text) as unknown)
  .pipe(z.tuple([z.string().min(1)], z.string()));

const namedCommand = (text: string): StartCommand => {
  const [program, ...args] = words.parse(text);
  return { program, args };
};

type Desktop = {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  program: string;
  /** The app's folder, where it is not packaged. */
  appDir: string | null;
  /** Whether this process runs without Chromium's sandbox, as it must for root. */
  noSandbox: boolean;
};

/**
 * The command line inside the desktop app itself; of a copy that is not packaged, the one that its starting program named. Clients start
 * it with next to no environment: on Linux Chromium would end at once without a display, unless it is told that it needs none.
 */
export const desktopCommand = ({ platform, env, program, appDir, noSandbox }: Desktop): StartCommand => {
  const named = appDir === null ? undefined : env[commandVariable];
  if (named !== undefined) return namedCommand(named);
  return {
    // The program of an AppImage is gone with the process that runs from it.
    program: (appDir === null && env['APPIMAGE']) || program,
    args: [
      ...(platform === 'linux' ? ['--ozone-platform=headless'] : []),
      ...(noSandbox ? ['--no-sandbox'] : []),
      ...(appDir === null ? [] : [appDir]),
    ],
  };
};

/** The usual data folder as a client's process finds it: clients pass on the home and little else. */
const usualDataDir = (env: NodeJS.ProcessEnv): string => {
  const passedOn = process.platform === 'win32' ? { APPDATA: env['APPDATA'], LOCALAPPDATA: env['LOCALAPPDATA'] } : {};
  return defaultDataDir({ platform: process.platform, env: passedOn, home: homedir() });
};

/** What the command line is told so that it finds this companion, and keeps its token where this companion would look. */
export type DataPlace = Pick<Options, 'dataDir' | 'ownData' | 'keychain'>;

/** Whether the command line has to be told the data folder. */
export const mustNameData = ({ dataDir, ownData }: DataPlace, env: NodeJS.ProcessEnv = process.env): boolean =>
  ownData || dataDir !== usualDataDir(env);

/** The command that serves this companion's tools over stdio, for a client that starts it with no PATH and from any folder. */
export const mcpCommand = ({ program, args }: StartCommand, place: DataPlace): StartCommand => ({
  program,
  args: [
    ...args,
    'mcp',
    ...(mustNameData(place) ? ['--data', place.dataDir] : []),
    ...(place.keychain === 'memory' ? ['--keychain', 'memory'] : []),
  ],
});
