import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { createDesktopCommand, createMcpCommand } from '../../../../src/host/clients/startCommand.ts';
import { getDefaultDataDir } from '../../../../src/host/data/dataFolder.ts';

const installed = { platform: 'linux', env: {}, program: '/opt/app/listing-companion', appDir: null } as const;
const headless = '--ozone-platform=headless';

test.each([
  ['an installed app', { ...installed, noSandbox: false }, ['/opt/app/listing-companion', headless]],
  // The program inside an AppImage exists only while it runs.
  [
    'an AppImage',
    { ...installed, env: { APPIMAGE: '/home/robin/Companion.AppImage' }, noSandbox: false },
    ['/home/robin/Companion.AppImage', headless],
  ],
  [
    'an app on a Mac',
    {
      ...installed,
      platform: 'darwin' as const,
      program: '/Applications/L C.app/Contents/MacOS/L C',
      noSandbox: false,
    },
    ['/Applications/L C.app/Contents/MacOS/L C'],
  ],
  // Another program on this computer must not choose the command that assistants start.
  [
    'an installed app with another command in the environment',
    { ...installed, env: { LISTING_COMPANION_COMMAND: '["/tmp/evil"]' }, noSandbox: false },
    ['/opt/app/listing-companion', headless],
  ],
  [
    'Electron started from the sources',
    { ...installed, program: '/src/electron', appDir: '/src', noSandbox: true },
    ['/src/electron', headless, '--no-sandbox', '/src'],
  ],
  [
    'Electron started by the launcher',
    {
      ...installed,
      appDir: '/src',
      env: { LISTING_COMPANION_COMMAND: '["/src/node","/src/cli/index.ts"]' },
      noSandbox: false,
    },
    ['/src/node', '/src/cli/index.ts'],
  ],
])('the start command for assistants is correct for %s', (_name, desktop, words) => {
  const { program, args } = createDesktopCommand(desktop);
  expect([program, ...args]).toEqual(words);
});

const start = { program: '/node', args: ['/cli.ts'] };
const usual = getDefaultDataDir({ platform: process.platform, env: {}, home: homedir() });

test('the start command names neither the default data folder nor the system keychain', () => {
  expect(createMcpCommand(start, { dataDir: usual, ownData: false, keychain: 'system' }).args).toEqual([
    '/cli.ts',
    'mcp',
  ]);
  expect(createMcpCommand(start, { dataDir: usual, ownData: false, keychain: 'memory' }).args).toEqual([
    ...['/cli.ts', 'mcp', '--keychain', 'memory'],
  ]);
});

test.runIf(process.platform === 'linux')(
  'the start command names a default data folder that depends on an environment variable',
  () => {
    // Clients pass on HOME but not XDG_DATA_HOME.
    const dataDir = getDefaultDataDir({ platform: 'linux', env: { XDG_DATA_HOME: '/mnt/data' }, home: homedir() });
    expect(createMcpCommand(start, { dataDir, ownData: false, keychain: 'system' }).args).toEqual([
      ...['/cli.ts', 'mcp', '--data', '/mnt/data/listing-companion'],
    ]);
  },
);
