import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const e2e = 'test/e2e/';
const drawings = 'test/helpers/practice/drawnItems.ts';
const keyring = 'test/helpers/hosts/keyring.ts';

/**
 * Debian packages of tests and benchmarks, with their purpose. The companion itself needs none of them. A test needs a package
 * if the path of the test, or of a file that it imports, starts with a path in `usedBy`.
 */
export const packageGroups = {
  tests: {
    'chromium-headless-shell': { purpose: 'the browser that the tests of the window drive', usedBy: [e2e] },
    'firefox-esr': {
      purpose: 'the browser that opens the ceremony page besides Chromium',
      usedBy: ['test/e2e/presence/firefox.ts'],
    },
    'fonts-dejavu-core': {
      purpose: 'the letters that are drawn on test photos and read from them again',
      usedBy: [e2e, drawings],
    },
    xvfb: { purpose: 'a display for Electron’s own binary where there is none', usedBy: [e2e] },
    xauth: { purpose: 'what xvfb-run lets its programs in with', usedBy: [e2e] },
    dbus: { purpose: 'a session bus for the tests of the keychain', usedBy: [keyring] },
    'gnome-keyring': { purpose: 'the keychain on that bus', usedBy: [keyring] },
    'libsecret-1-0': {
      purpose: 'what keytar reaches a keychain through, as on every desktop',
      usedBy: [keyring, 'test/flows/cli/packaged.test.ts', 'test/e2e/shell/packaged.spec.ts'],
    },
    'desktop-file-utils': {
      purpose: 'checks the file that starts the companion at login',
      usedBy: ['test/unit/main/system.test.ts'],
    },
    'libheif-examples': { purpose: 'makes HEIC photos', usedBy: ['test/helpers/photos/getFixtureFolder.ts'] },
    'libimage-exiftool-perl': {
      purpose: 'plants metadata in photos, and looks for what is left of it',
      usedBy: ['test/helpers/photos/exiftool.ts'],
    },
  },
  bench: {
    chromium: { purpose: 'the browser that start-up is measured with' },
    'libvips-tools': { purpose: 'vipsthumbnail, a peer at preparing photos' },
    'libjpeg-turbo-progs': { purpose: 'djpeg and cjpeg, the limit of preparing them' },
    'libheif-examples': { purpose: 'heif-enc makes HEIC photos, and heif-convert is a peer at reading them' },
    imagemagick: { purpose: 'mogrify, a peer at preparing photos' },
  },
};

/**
 * Returns the packages of a group that the files use, or all packages of the group without `files`.
 * @param {'tests' | 'bench'} group
 * @param {readonly string[]} [files]
 */
export const choosePackages = (group, files) =>
  Object.entries(packageGroups[group])
    .filter(([, { usedBy }]) => !files || !usedBy || files.some((file) => usedBy.some((path) => file.startsWith(path))))
    .map(([name]) => name);

const isInstalled = (name) => {
  const asked = spawnSync('dpkg-query', ['-W', '-f=${Status}', name], { encoding: 'utf8' });
  return asked.status === 0 && asked.stdout.includes('install ok installed');
};

const aptGet = (...args) =>
  spawnSync('apt-get', ['-qq', '-o', 'Dpkg::Use-Pty=0', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });

/**
 * Installs missing Debian packages as root, or prints the command that installs them. A failure does not end the command,
 * because each test reports a missing package.
 * @param {'tests' | 'bench'} group
 * @param {readonly string[]} [files]
 */
export const installPackages = (group, files) => {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version')) return;
  const missing = choosePackages(group, files).filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const asked = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0) {
    console.error(`Some system packages are missing; install them with: sudo ${asked}`);
    for (const name of missing) console.error(`  ${name}: ${packageGroups[group][name].purpose}`);
    return;
  }
  console.error(`Installing ${missing.join(', ')}.`);
  aptGet('update');
  const done = aptGet('install', '-y', '--no-install-recommends', ...missing);
  if (done.status !== 0) {
    console.error(`${done.stdout ?? ''}${done.stderr ?? ''}`.trim());
    console.error(`Some system packages could not be installed; install them with: ${asked}`);
  }
};
