import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Debian's packages by what they are for: keytar is compiled at the install; tests need a browser and a keychain,
 * benchmarks the programs they are measured against.
 */
const groups = {
  install: ['libsecret-1-dev', 'pkg-config', 'g++', 'make', 'python3'],
  tests: [
    'chromium',
    'xvfb',
    'xauth',
    'fonts-dejavu-core',
    'libsecret-1-dev',
    'pkg-config',
    'gnome-keyring',
    'dbus',
    'desktop-file-utils',
    'libheif-examples',
    'libimage-exiftool-perl',
  ],
  bench: ['libvips-tools', 'libjpeg-turbo-progs', 'libheif-examples', 'imagemagick'],
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
 * @param {'install' | 'tests' | 'bench'} group
 */
export const installPackages = (group) => {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version')) return;
  const missing = groups[group].filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const asked = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0) {
    console.error(`Some system packages are missing; install them with: sudo ${asked}`);
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
