import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname } from 'node:path';

const libraries = ['/usr/lib', '/usr/lib64', '/lib', '/lib64'];

const mountPoints = ['/mnt', '/media', '/srv'];

/**
 * The limit is 6 GB, because the largest known photos need 2.2 GB. On a small machine, the limit is lower, so that a
 * quarter of the memory remains free.
 */
const computeMaxMemoryKb = (): number => Math.floor(Math.min(6 * 2 ** 30, totalmem() * 0.75) / 1024);

/** Forbids core dumps because they would contain photos, forbids writing files, and limits memory. */
const ulimitCommands = ['-c 0', '-f 0', '-d "$1"']
  .map((limit) => `command ulimit ${limit} 2>/dev/null || :`)
  .join('; ');

/** Kills the program when its parent process ends, if `setpriv` supports that. */
const tiedScript = 'setpriv --pdeathsig KILL true 2>/dev/null && exec setpriv --pdeathsig KILL -- "$@"; exec "$@"';

const limitedScript = `${ulimitCommands}; shift; unset PWD OLDPWD; ${tiedScript}`;

const quoteForShell = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/**
 * Linux refuses to mount some folders read-only in one step, such as home folders mounted nodev or nosuid. Such a
 * folder is mounted first and then made read-only.
 */
const createReadOnlyMountCommand = (path: string, at: string): string => {
  const second = `mount -o remount,bind,ro ${at} 2>/dev/null`;
  return `mount -o rbind,ro ${path} ${at} 2>/dev/null || ${second} || { mount --rbind ${path} ${at}; ${second} || :; }`;
};

/** Starting a program takes a millisecond, so the script starts as few programs as possible. */
const createMountCommands = (root: string, paths: readonly string[]): string => {
  const quotePathInRoot = (path: string): string => quoteForShell(`${root}${path}`);
  const kinds = paths.map((path) => ({ path, stat: lstatSync(path, { throwIfNoEntry: false }) }));
  const links = kinds.filter(({ stat }) => stat?.isSymbolicLink()).map(({ path }) => path);
  const mounted = kinds.filter(({ path }) => !links.includes(path));
  const isFolderEntry = ({ stat }: (typeof kinds)[number]): boolean => stat?.isDirectory() === true;
  const folders = kinds.map((entry) => (isFolderEntry(entry) ? entry.path : dirname(entry.path)));
  const files = mounted.filter((entry) => !isFolderEntry(entry));
  const listLinksIn = (folder: string): string[] => links.filter((path) => dirname(path) === folder).map(quoteForShell);
  return [
    `mkdir -p ${['/proc', '/bin', '/dev', '/old', ...folders].map(quotePathInRoot).join(' ')}`,
    ...['/dev/null', ...files.map(({ path }) => path)].map((path) => `: > ${quotePathInRoot(path)}`),
    ...[...new Set(links.map(dirname))].map(
      (folder) => `cp -P ${listLinksIn(folder).join(' ')} ${quotePathInRoot(folder)}`,
    ),
    ...mounted.map(({ path }) => createReadOnlyMountCommand(quoteForShell(path), quotePathInRoot(path))),
  ].join('\n');
};

/**
 * Returns a script that makes a root folder with only these paths and drops all privileges. The shell stays process 1,
 * so that all other processes in the namespace end with it.
 */
const createOwnRootScript = (root: string, shown: readonly string[]): string => `set -e
folder=$PWD; memory=$1; shift
umount=$(command -v umount); setpriv=$(command -v setpriv || :)
mount -t tmpfs -o size=8m,mode=755 none ${root}
${createMountCommands(root, shown)}
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
${ulimitCommands}; shift
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
 * Returns the open file descriptors from `first` on that a child process would inherit. Returns an empty list if the
 * system does not list them.
 */
export const listInheritedFiles = (first: number): number[] => {
  const isInheritedFile = (fd: number): boolean => {
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
    .filter((fd) => fd >= first && isInheritedFile(fd));
};

export type Command = readonly [program: string, ...args: string[]];

const wrapWithUnshare = (readable: readonly string[], command: Command): Command | null => {
  const isFreeMountPoint = (point: string): boolean =>
    existsSync(point) && !readable.some((path) => path.startsWith(`${point}/`));
  const root = mountPoints.find(isFreeMountPoint);
  if (root === undefined) return null;
  const shown = [...libraries.filter((path) => existsSync(path)), ...readable];
  const script = ['sh', '-c', createOwnRootScript(root, shown), 'sh', String(computeMaxMemoryKb())];
  return ['sh', '-c', tiedScript, 'sh', 'unshare', ...namespaces, ...script, ...command];
};

const wrapWithBubblewrap = (readable: readonly string[], command: Command): Command => {
  const shown = [...libraries, ...readable].flatMap((path) => ['--ro-bind-try', path, path]);
  const bubble = ['bwrap', '--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'];
  return [
    'sh',
    '-c',
    limitedScript,
    'sh',
    String(computeMaxMemoryKb()),
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

export const wrapWithLimits = (command: Command): Command => [
  'sh',
  '-c',
  limitedScript,
  'sh',
  String(computeMaxMemoryKb()),
  ...command,
];

const canRunCommand = ([program, ...args]: Command, cwd: string): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: 10_000, env: {}, cwd }, (error) => resolve(error === null));
  });

export type NamespaceWrapper = (command: Command) => Command;

const bubblewrap = ['/usr/local/bin/bwrap', '/usr/bin/bwrap', '/bin/bwrap'];

/** Returns the wrapper that should work with the installed programs, or null. The wrapper is not tried here. */
export const guessLikelyNamespaces = (readable: readonly string[]): NamespaceWrapper | null => {
  const wrap = bubblewrap.some((path) => existsSync(path)) ? wrapWithBubblewrap : wrapWithUnshare;
  return wrap(readable, ['true']) && ((command) => wrap(readable, command) ?? command);
};

/**
 * Returns a wrapper for the namespaces that work, or null. The function starts `node` in these namespaces once to
 * detect missing files.
 */
export const findWorkingNamespaces = async (
  node: string,
  readable: readonly string[],
  folder: string,
): Promise<NamespaceWrapper | null> => {
  for (const wrap of [wrapWithBubblewrap, wrapWithUnshare]) {
    const probe = wrap(readable, [node, '--version']);
    if (probe !== null && (await canRunCommand(probe, folder))) return (command) => wrap(readable, command) ?? command;
  }
  return null;
};
