import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname } from 'node:path';

/** Where Linux keeps the libraries that a program is linked with: code, as the program itself is. */
const libraries = ['/usr/lib', '/usr/lib64', '/lib', '/lib64'];

/** Folders that every Linux has, one of which becomes the root that the process sees. */
const mountPoints = ['/mnt', '/media', '/srv'];

/** Memory that the process may take: the largest photos known need 2.2 GB, and a small machine keeps a quarter for itself. */
const mostMemoryKb = (): number => Math.floor(Math.min(6 * 2 ** 30, totalmem() * 0.75) / 1024);

/** No core dumps, which would hold photos; no file may grow; no more memory than that. */
const limits = ['-c 0', '-f 0', '-d "$1"'].map((limit) => `command ulimit ${limit} 2>/dev/null || :`).join('; ');

/** Ends the program together with whoever started it, however that ended, where `setpriv` can ask the system for it. */
const tied = 'setpriv --pdeathsig KILL true 2>/dev/null && exec setpriv --pdeathsig KILL -- "$@"; exec "$@"';

const limited = `${limits}; shift; unset PWD OLDPWD; ${tied}`;

const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/**
 * In one step where that goes. Where the system takes no devices or no programs with rights from a mount, as often from
 * those of people's folders, it only goes in a second one, which leaves that as it is.
 */
const mountReadOnly = (path: string, at: string): string => {
  const second = `mount -o remount,bind,ro ${at} 2>/dev/null`;
  return `mount -o rbind,ro ${path} ${at} 2>/dev/null || ${second} || { mount --rbind ${path} ${at}; ${second} || :; }`;
};

/** The commands that show paths below a folder, as they lie here: each program that is started costs a millisecond. */
const showing = (root: string, paths: readonly string[]): string => {
  const at = (path: string): string => quoted(`${root}${path}`);
  const kinds = paths.map((path) => ({ path, stat: lstatSync(path, { throwIfNoEntry: false }) }));
  const links = kinds.filter(({ stat }) => stat?.isSymbolicLink()).map(({ path }) => path);
  const mounted = kinds.filter(({ path }) => !links.includes(path));
  const isFolder = ({ stat }: (typeof kinds)[number]): boolean => stat?.isDirectory() === true;
  const folders = kinds.map((one) => (isFolder(one) ? one.path : dirname(one.path)));
  const files = mounted.filter((one) => !isFolder(one));
  const linksIn = (folder: string): string[] => links.filter((path) => dirname(path) === folder).map(quoted);
  return [
    `mkdir -p ${['/proc', '/bin', '/dev', '/old', ...folders].map(at).join(' ')}`,
    ...['/dev/null', ...files.map(({ path }) => path)].map((path) => `: > ${at(path)}`),
    ...[...new Set(links.map(dirname))].map((folder) => `cp -P ${linksIn(folder).join(' ')} ${at(folder)}`),
    ...mounted.map(({ path }) => mountReadOnly(quoted(path), at(path))),
  ].join('\n');
};

/**
 * Builds a root of nothing but what is named, makes it the only one, and gives up every right that it took. Mounts are
 * those of this process alone; whatever fails ends it. It stays the first of its namespace, with which all others end: the
 * program itself could ask the system to let it outlive who started it.
 */
const inOwnRoot = (root: string, shown: readonly string[]): string => `set -e
folder=$PWD; memory=$1; shift
umount=$(command -v umount); setpriv=$(command -v setpriv || :)
mount -t tmpfs -o size=8m,mode=755 none ${root}
${showing(root, shown)}
mount --bind /dev/null ${root}/dev/null
mount -t proc none ${root}/proc
if [ -n "$setpriv" ]; then cp "$setpriv" ${root}/bin/setpriv; fi
mount -o remount,ro ${root} 2>/dev/null || :
cd ${root}
pivot_root . old
cd /
"/old$umount" -l /old
cd "$folder"
set -- "$memory" "$@"
${limits}; shift
unset PWD OLDPWD
if [ -x /bin/setpriv ]; then
  set -- /bin/setpriv --no-new-privs --inh-caps=-all --bounding-set=-all -- "$@"
fi
"$@" || exit "$?"`;

const namespaces = [
  '--user',
  '--map-root-user',
  '--net',
  '--mount',
  '--ipc',
  '--uts',
  '--pid',
  '--fork',
  '--kill-child',
];

const closesOnExec = 0o2000000;

/**
 * The open files of this process from `first` on that every program it starts would have as well: whoever started this one
 * left them open. None where the system does not tell.
 */
export const inheritedFiles = (first: number): number[] => {
  const isInherited = (fd: number): boolean => {
    try {
      const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
      return flags !== undefined && (parseInt(flags, 8) & closesOnExec) === 0;
    } catch {
      return false;
    }
  };
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => fd >= first && isInherited(fd));
};

/** A program with its arguments. */
export type Command = readonly [program: string, ...args: string[]];

const withUnshare = (readable: readonly string[], command: Command): Command | null => {
  const isFree = (point: string): boolean =>
    existsSync(point) && !readable.some((path) => path.startsWith(`${point}/`));
  const root = mountPoints.find(isFree);
  if (root === undefined) return null;
  const shown = [...libraries.filter((path) => existsSync(path)), ...readable];
  const script = ['sh', '-c', inOwnRoot(root, shown), 'sh', String(mostMemoryKb())];
  return ['sh', '-c', tied, 'sh', 'unshare', ...namespaces, ...script, ...command];
};

const withBubblewrap = (readable: readonly string[], command: Command): Command => {
  const shown = [...libraries, ...readable].flatMap((path) => ['--ro-bind-try', path, path]);
  const bubble = ['bwrap', '--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'];
  return [
    'sh',
    '-c',
    limited,
    'sh',
    String(mostMemoryKb()),
    ...bubble,
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...shown,
    '--',
    ...command,
  ];
};

/** The command with limits of memory and files alone, which every Linux has. */
export const withLimits = (command: Command): Command => [
  'sh',
  '-c',
  limited,
  'sh',
  String(mostMemoryKb()),
  ...command,
];

/** Whether a command runs to its end here. */
const runs = ([program, ...args]: Command, cwd: string): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: 10_000, env: {}, cwd }, (error) => resolve(error === null));
  });

/** Puts namespaces around a command. */
export type Namespaces = (command: Command) => Command;

const bubblewrap = ['/usr/local/bin/bwrap', '/usr/bin/bwrap', '/bin/bwrap'];

/**
 * The namespaces that this system most likely allows, by what is installed; null where it is known that there are none. Who
 * starts something in them and sees it run needs no {@link findNamespaces}, which takes as long as the start itself.
 */
export const likelyNamespaces = (readable: readonly string[]): Namespaces | null => {
  const wrap = bubblewrap.some((path) => existsSync(path)) ? withBubblewrap : withUnshare;
  return wrap(readable, ['true']) && ((command) => wrap(readable, command) ?? command);
};

/**
 * The command in namespaces of its own: no network, no other process, no file but its code, no rights over any of them.
 * It stands in `folder`, which is one of its own. By bubblewrap where it is installed, by `unshare` otherwise; null where
 * the system allows neither. Tried with the very program, so that whatever is missing in there shows here.
 */
export const findNamespaces = async (
  node: string,
  readable: readonly string[],
  folder: string,
): Promise<Namespaces | null> => {
  for (const wrap of [withBubblewrap, withUnshare]) {
    const probe = wrap(readable, [node, '--version']);
    if (probe !== null && (await runs(probe, folder))) return (command) => wrap(readable, command) ?? command;
  }
  return null;
};
