import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Probe = {
  helper: () => { uid: number; mode: number } | null;
  appArmorRestricts: () => boolean;
  userNamespace: () => boolean | null;
  starts: () => boolean;
};

// The launcher has no types because it runs before the dependencies are installed.
const launcher = (await import(
  pathToFileURL(join(import.meta.dirname, '..', '..', '..', 'scripts', 'launcher', 'sandbox.mjs')).href
)) as { hasSandbox: (probe: Probe) => boolean; sandboxAdvice: (binary: string) => string };

const asInstalled = { uid: 1000, mode: 0o100755 };
const setUp = { uid: 0, mode: 0o104755 };

const failIfChecked = (): never => {
  throw new Error('This must not be checked.');
};

type Case = {
  where: string;
  helper: ReturnType<Probe['helper']>;
  appArmor?: boolean;
  namespace?: boolean | null;
  starts?: boolean;
  has: boolean;
};

const cases: Case[] = [
  {
    where: 'user namespaces are allowed for all programs',
    helper: asInstalled,
    appArmor: false,
    namespace: true,
    has: true,
  },
  { where: 'user namespaces are forbidden', helper: asInstalled, appArmor: false, namespace: false, has: false },
  { where: 'the sandbox helper is set up', helper: setUp, has: true },
  {
    where: 'the helper is set-uid but not owned by root',
    helper: { uid: 1000, mode: 0o104755 },
    appArmor: false,
    namespace: false,
    has: false,
  },
  {
    where: 'the helper is owned by root but not set-uid',
    helper: { uid: 0, mode: 0o100755 },
    appArmor: false,
    namespace: false,
    has: false,
  },
  {
    where: 'only root can run the helper',
    helper: { uid: 0, mode: 0o104700 },
    appArmor: false,
    namespace: false,
    has: false,
  },
  { where: 'no helper exists', helper: null, appArmor: false, namespace: false, has: false },
  { where: 'AppArmor has no profile for Electron', helper: asInstalled, appArmor: true, starts: false, has: false },
  { where: 'AppArmor has a profile for Electron', helper: asInstalled, appArmor: true, starts: true, has: true },
  {
    where: 'only Electron can test a namespace',
    helper: null,
    appArmor: false,
    namespace: null,
    starts: true,
    has: true,
  },
];

test.each(cases)(
  'the launcher detects whether a sandbox is available if $where: $has',
  ({ helper, appArmor, namespace, starts, has }) => {
    const probe: Probe = {
      helper: () => helper,
      appArmorRestricts: () => appArmor ?? failIfChecked(),
      userNamespace: () => (namespace === undefined ? failIfChecked() : namespace),
      starts: () => starts ?? failIfChecked(),
    };
    expect(launcher.hasSandbox(probe)).toBe(has);
  },
);

test('the sandbox advice can be pasted into a shell for any path of Electron', () => {
  const lines = (binary: string): string[] =>
    launcher
      .sandboxAdvice(binary)
      .split('\n')
      .filter((line) => line.includes('sudo'))
      .map((line) => line.trim());
  expect(lines('/home/me/app/dist/electron')).toEqual([
    'sudo chown root:root /home/me/app/dist/chrome-sandbox',
    'sudo chmod 4755 /home/me/app/dist/chrome-sandbox',
  ]);
  expect(lines("/home/me/Tom's things; $(rm)/electron")[0]).toBe(
    String.raw`sudo chown root:root '/home/me/Tom'\''s things; $(rm)/chrome-sandbox'`,
  );
});
