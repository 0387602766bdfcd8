import { accessSync, constants, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { createProblem } from '../../core/base/problem.ts';
import { getWindowsAppData, type Machine } from '../../host/data/dataFolder.ts';
import { type StartCommand, formatShellLine } from '../../host/clients/startCommand.ts';

/** The app recognises its own command files by this text. */
const mark = 'Written by Listing Companion';

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

/** In a cmd file, a literal percent sign must be doubled. */
const quoteCmdWord = (word: string): string => `"${word.replaceAll('%', '%%')}"`;

/**
 * cmd reads files in the OEM code page, which might lack letters of the user's name, so %LOCALAPPDATA% replaces the
 * part of the path that contains the name.
 */
const quoteCmdProgram = (program: string, localAppData: string | undefined): string => {
  const folder = `${localAppData ?? ''}\\`;
  const isBelow = localAppData !== undefined && program.toLowerCase().startsWith(folder.toLowerCase());
  return isBelow ? `"%LOCALAPPDATA%\\${quoteCmdWord(program.slice(folder.length)).slice(1)}` : quoteCmdWord(program);
};

/**
 * cmd reads each line in the current code page, so UTF-8 is set before the line, and the previous code page is restored
 * after it.
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

export const requireCommandPath = (machine: Machine): string => {
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

/** Throws `COMMAND_TAKEN` if another program owns the file. */
export const installCommand = (file: string, text: string): void => {
  if (isForeignFile(file)) throw createProblem('COMMAND_TAKEN', { values: { file } });
  writeFileSync(file, text, { mode: 0o755 });
};
