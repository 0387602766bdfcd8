import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tools } from '../../../src/bridge/mcp/tools/index.ts';
import { parseCliCommand } from '../../../src/main/commandLine.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** The stand-in for Electron, which runs the built app without a display. */
const standIn = join(root, 'test', 'electron-standin', 'dist', 'electron');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'in-app-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const buildEnvironment = () => ({
  HOME: folder,
  TMPDIR: folder,
  PATH: '/usr/bin:/bin',
  STANDIN_NODE: process.execPath,
});

test.runIf(process.platform === 'linux')('the app serves the tools over stdio without a window', async () => {
  const client = new Client({ name: 'Desk client', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: standIn,
      args: ['--ozone-platform=headless', root, 'mcp', '--data', join(folder, 'data'), '--keychain', 'memory'],
      cwd: '/',
      env: buildEnvironment(),
      stderr: 'ignore',
    }),
  );
  expect((await client.listTools()).tools).toHaveLength(tools.length);
  expect(await client.callTool({ name: 'get_standing', arguments: {} })).toMatchObject({
    structuredContent: { code: 'NOT_RUNNING' },
  });
  await client.close();
});

test.runIf(process.platform === 'linux')(
  'the app returns the exit code of a command and leaves no temporary files',
  async () => {
    const args = ['--ozone-platform=headless', root, 'status', '--json', '--data', join(folder, 'data')];
    const ended = await promisify(execFile)(standIn, args, { env: buildEnvironment() }).catch(
      (error: { code: number; stdout: string }) => error,
    );
    expect(ended).toMatchObject({ code: 3, stdout: expect.stringContaining('NOT_RUNNING') as string });
    expect(readdirSync(folder).filter((name) => name.startsWith('listing-companion'))).toEqual([]);
  },
);

test.each([
  ['the name of a command', ['app', 'mcp', '--identity', 'x'], ['mcp', '--identity', 'x']],
  [
    'Chromium switches before a command',
    ['app', '--ozone-platform=headless', '--no-sandbox', 'add', 'photos'],
    ['add', 'photos'],
  ],
  ['no arguments', ['app'], null],
  ['a folder', ['app', '/home/robin/photos'], null],
  ['an option of the app', ['app', '--hidden'], null],
  ['the name of a command as the value of an option', ['app', '--data', 'mcp'], null],
  ['a link', ['app', '--', 'listing-companion://items/1'], null],
])('an installed app distinguishes a command from other arguments: %s', (_name, argv, words) => {
  expect(parseCliCommand(argv, { packaged: true })).toEqual(words);
});

test('a debugging switch is refused even together with a command', () => {
  expect(parseCliCommand(['app', '--inspect', 'mcp'], { packaged: true })).toContain(
    '--inspect would open the companion',
  );
  expect(parseCliCommand(['app', 'mcp', '--remote-debugging-port=1'], { packaged: true })).toContain(
    '--remote-debugging-port',
  );
});
