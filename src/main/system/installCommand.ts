import { accessSync, constants, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { createProblem } from '../../core/base/problem.ts';
import { getWindowsAppData, type Machine } from '../../host/dataFolder.ts';
import { type StartCommand, formatShellLine } from '../../host/clients/startCommand.ts';

/** A mark in every command file by which the app recognises its own files. */
const mark = 'Written by Listing Companion';

/** Returns the folders that systems have on the PATH for programs of the person. */
const listUsualFolders = (machine: Machine): string[] => {
  const { platform, home } = machine;
  if (platform === 'win32') return [join(getWindowsAppData(machine).local, 'Microsoft', 'WindowsApps')];
  return [join(home, '.local', 'bin'), join(home, 'bin'), '/usr/local/bin'];
};

const isWritableFolder = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/** Quotes a word for cmd; a literal percent sign must be doubled. */
const quoteCmdWord = (word: string): string => `"${word.replaceAll('%', '%%')}"`;

/** Quotes the program path with %LOCALAPPDATA% for the person's folder: cmd reads files in the OEM code page. */
const quoteCmdProgram = (program: string, localAppData: string | undefined): string => {
  const folder = `${localAppData ?? ''}\\`;
  const isBelow = localAppData !== undefined && program.toLowerCase().startsWith(folder.toLowerCase());
  return isBelow ? `"%LOCALAPPDATA%\\${quoteCmdWord(program.slice(folder.length)).slice(1)}` : quoteCmdWord(program);
};

/**
 * Wraps a line that contains non-ASCII characters: cmd reads each line in the current code page, so the wrapper sets
 * UTF-8 before the line and restores the console's code page after it.
 */
const wrapInUtf8 = (line: string): string[] => [
  '@setlocal',
  '@for /f "tokens=2 delims=:." %%p in (\'chcp\') do @set "codePage=%%p"',
  '@chcp 65001 >nul',
  line,
  '@set "exitCode=%errorlevel%"',
  '@chcp %codePage% >nul',
  '@exit /b %exitCode%',
];

const isPrintableAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

export const createCommandText = (
  { platform, env }: Pick<Machine, 'platform' | 'env'>,
  { program, args }: StartCommand,
): string => {
  if (platform !== 'win32') return `#!/bin/sh\n# ${mark}.\nexec ${formatShellLine('posix', [program, ...args])} "$@"\n`;
  const words = [quoteCmdProgram(program, env['LOCALAPPDATA']), ...args.map(quoteCmdWord)];
  const line = `@${words.join(' ')} %*`;
  return [`@rem ${mark}.`, ...(isPrintableAscii(line) ? [line] : wrapInUtf8(line)), ''].join('\r\n');
};

/** Returns the file path in the first usual folder that is writable and on the PATH. Throws `COMMAND_NO_PLACE`. */
export const findCommandPlace = (machine: Machine): string => {
  const onPath = (machine.env['PATH'] ?? machine.env['Path'] ?? '').split(delimiter).filter(isAbsolute);
  const folder = listUsualFolders(machine).find(
    (usualFolder) => onPath.includes(usualFolder) && isWritableFolder(usualFolder),
  );
  if (folder === undefined)
    throw createProblem('COMMAND_NO_PLACE', { values: { folders: listUsualFolders(machine).join(', ') } });
  return join(folder, machine.platform === 'win32' ? 'listing-companion.cmd' : 'listing-companion');
};

const isForeignFile = (file: string): boolean => {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return false;
  return !readFileSync(file, 'utf8').includes(mark);
};

/** Writes the command file. Throws `COMMAND_TAKEN` if a file of another program has that name. */
export const installCommand = (file: string, text: string): void => {
  if (isForeignFile(file)) throw createProblem('COMMAND_TAKEN', { values: { file } });
  writeFileSync(file, text, { mode: 0o755 });
};
