import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDesktopNotifier } from '../../../src/headless/desktopNotifier.ts';
import { toNoticeText } from '../../../src/host/noticeText.ts';
import { createHostTranslator } from '../../../src/host/hostTranslator.ts';

const words = createHostTranslator(['en']);

let folder: string;
let env: Record<string, string>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notify-'));
  env = {
    PATH: `${folder}:/usr/bin:/bin`,
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
    SHOWN: join(folder, 'shown'),
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Installs a notify-send that writes each argument to a line of a file. */
const installNotifySend = (): void => {
  const path = join(folder, 'notify-send');
  writeFileSync(path, '#!/bin/sh\nprintf "%s\\n" "$@" > "$SHOWN.part" && mv "$SHOWN.part" "$SHOWN"\n');
  chmodSync(path, 0o755);
};
const readShownLines = (): Promise<string[]> =>
  vi.waitFor(() => readFileSync(join(folder, 'shown'), 'utf8').trimEnd().split('\n'), { timeout: 5_000 });

/** Only Linux has notify-send. */
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a notification text cannot become an option of notify-send', async () => {
  installNotifySend();
  createDesktopNotifier({ platform: 'linux', env })({
    title: '--help asks: Publish',
    text: 'Camera · US$70.99',
  });
  expect(await readShownLines()).toEqual([
    '--app-name=Listing Companion',
    '--',
    '--help asks: Publish',
    'Camera · US$70.99',
  ]);
});

onLinux('control characters, markup and shell characters in a notification have no effect', async () => {
  installNotifySend();
  const text = '<a href="x">free</a>\u001b[2J\u202e $(touch owned) `id` \\n; \n& more';
  createDesktopNotifier({ platform: 'linux', env })(toNoticeText(words, { title: 'A\u0000\u0007B', text }));
  expect((await readShownLines()).slice(2)).toEqual([
    'A‹U+0000›‹U+0007›B',
    '‹a href="x"›free‹/a›‹U+001B›[2J‹U+202E› $(touch owned) `id` ∖n; & more',
  ]);
});

onLinux('no notification is sent without a session bus or notify-send', async () => {
  const notice = { title: 'Asked', text: 'now' };
  createDesktopNotifier({ platform: 'linux', env: { ...env, PATH: folder } })(notice);
  installNotifySend();
  const { DBUS_SESSION_BUS_ADDRESS: _bus, ...withoutBus } = env;
  createDesktopNotifier({ platform: 'linux', env: withoutBus })(notice);
  createDesktopNotifier({ platform: 'darwin', env })(notice);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(existsSync(join(folder, 'shown'))).toBe(false);
  // A systemd session has a bus without the environment variable.
  writeFileSync(join(folder, 'bus'), '');
  createDesktopNotifier({ platform: 'linux', env: { ...withoutBus, XDG_RUNTIME_DIR: folder } })(notice);
  expect((await readShownLines()).slice(2)).toEqual(['Asked', 'now']);
});
