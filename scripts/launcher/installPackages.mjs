import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Debian's packages that tests and benchmarks use, and what for. The companion itself is started without any of them. */
const groups = {
  tests: {
    'chromium-headless-shell': 'the browser that the tests of the window drive',
    'fonts-dejavu-core': 'the letters that are drawn on test photos and read from them again',
    xvfb: 'a display for Electron’s own binary where there is none',
    xauth: 'what xvfb-run lets its programs in with',
    dbus: 'a session bus for the tests of the keychain',
    'gnome-keyring': 'the keychain on that bus',
    'libsecret-1-0': 'what keytar reaches a keychain through, as on every desktop',
    'desktop-file-utils': 'checks the file that starts the companion at login',
    'libheif-examples': 'makes HEIC photos',
    'libimage-exiftool-perl': 'plants metadata in photos, and looks for what is left of it',
  },
  bench: {
    chromium: 'the browser that start-up is measured with',
    'libvips-tools': 'vipsthumbnail, a peer at preparing photos',
    'libjpeg-turbo-progs': 'djpeg and cjpeg, the limit of preparing them',
    'libheif-examples': 'heif-enc makes HEIC photos, and heif-convert is a peer at reading them',
    imagemagick: 'mogrify, a peer at preparing photos',
  },
};

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
 * Installs the Debian packages of a group that are missing, when that is possible here; otherwise says in a sentence
 * which ones they are. Never ends the command: what needs a package that is not there says so itself.
 * @param {'tests' | 'bench'} group
 */
export const installPackages = (group) => {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version')) return;
  const missing = Object.keys(groups[group]).filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const asked = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0) {
    console.error(`Some system packages are missing; install them with: sudo ${asked}`);
    for (const name of missing) console.error(`  ${name}: ${groups[group][name]}`);
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
