import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import { devNull, getPriority, setPriority } from 'node:os';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRealPathSync } from '../disk/realPath.ts';
import { channelFd, greeting, lowPriority } from './childChannel.ts';
import { createFrameReader, writeMessage, type Message } from './frames.ts';
import {
  findNamespaces,
  inheritedFiles,
  likelyNamespaces,
  withLimits,
  type Command,
  type Namespaces,
} from './linuxSandbox.ts';

/**
 * Why an isolated process ended. `asked`: the caller ended it. `outside`: another process ended it. `itself`: it
 * failed, or used up its memory. `start`: it ended before it could take a job.
 */
export type End = { cause: 'asked' | 'outside' | 'itself' | 'start'; how: string };

/** A started process, as its parent process sees it. */
export type IsolatedProcess = {
  pid: number | undefined;
  facts: { program: 'Node' | 'Electron'; sandbox: string };
  /** Resolves once the bytes of the message are no longer read. */
  send: (message: Message) => Promise<void>;
  /** Whether the process keeps its parent alive; initially it does not. */
  hold: (isHeld: boolean) => void;
  kill: () => void;
  ended: Promise<End>;
};

/** The used part of the result of Electron's `utilityProcess.fork`. */
export type Forked = {
  readonly pid?: number | undefined;
  on: ((event: 'message', listener: (data: unknown) => void) => unknown) &
    ((event: 'exit', listener: (code: number) => void) => unknown);
  postMessage: (message: unknown) => void;
  kill: () => boolean;
};
type ForkOptions = { env: Record<string, string>; execArgv: string[]; stdio: 'ignore'; serviceName: string };

/** The runtime: a Node, by its path, or Electron's fork function. */
export type Program =
  | { kind: 'node'; path: string }
  | { kind: 'fork'; fork: (entry: string, args: string[], options: ForkOptions) => Forked };

/** The sandbox parts to set up if the system supports them; both are on unless a test disables one. */
export type SandboxParts = { permissions: boolean; namespaces: boolean };

export type IsolatedOptions = {
  program: Program;
  name: string;
  entry: URL;
  args?: readonly string[] | undefined;
  /** Files and folders of its code; it can read nothing else. */
  readable: readonly string[];
  /** Its environment variables, in addition to the time zone. It inherits none. */
  env?: Record<string, string> | undefined;
  mostBytes: number;
  sandbox?: SandboxParts | undefined;
};

/** Returns the folder of the packages of a copy: node_modules below it, or its parent if npm hoisted all packages. */
export const packagesOf = (root: string): string => {
  const below = join(root, 'node_modules');
  return existsSync(join(below, 'sharp')) ? below : dirname(root);
};

/** How long the messages of an exited process are still read. */
const drainedWithinMs = 1_000;

/** JavaScript objects are small; the pictures are outside of the V8 heap. */
const heapMb = 512;

/**
 * Returns Node's permission flags: the process can read its code, but not write files, start processes or be debugged.
 * Native code is not restricted by them.
 */
export const lockFlags = (readable: readonly string[]): string[] => [
  '--permission',
  '--allow-addons',
  ...readable.map((path) => `--allow-fs-read=${path}`),
];

/** Returns the time zone from the /etc/localtime link, if there is one: loading Intl takes a tenth of the start. */
const linkedZone = (): string | undefined => {
  try {
    return /\/zoneinfo\/(?:posix\/)?(\w.*)$/.exec(readlinkSync('/etc/localtime'))?.[1];
  } catch {
    return undefined;
  }
};

const zoneOf = (env: NodeJS.ProcessEnv): string =>
  (env['TZ'] === undefined ? linkedZone() : undefined) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Returns the child's environment. The sandbox hides the time zone file, so TZ is set. Windows cannot use the network
 * or keys without SystemRoot.
 */
const environmentOf = (more: Record<string, string> = {}): Record<string, string> => {
  const root = process.env['SystemRoot'];
  return {
    TZ: zoneOf(process.env),
    ...(process.platform === 'win32' && root !== undefined ? { SystemRoot: root } : {}),
    ...more,
  };
};

/** Returns how often this Linux has killed a process for lack of memory; null if unknown. */
const memoryKills = (): string | null => {
  if (process.platform !== 'linux') return null;
  try {
    return /^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
};

/** Signals that other processes send; all other signals are raised by the process itself. */
const sent = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'];
/** The exit codes of these signals, as a shell, `unshare` and Windows report them. */
const sentCodes = [1, 129, 130, 137, 143];
/** The exit codes of these signals, as Electron reports them. */
const sentToFork = [2, 9, 15, ...sentCodes];

/** Tracks a process from its start to its end, and determines why it ended. */
const createLife = (onMessage: (message: Message) => void) => {
  const killsBefore = memoryKills();
  const greeted = Promise.withResolvers<true>();
  let isReady = false;
  let isAsked = false;
  return {
    ask: (): void => void (isAsked = true),
    greeted: greeted.promise,
    hear: (message: Message): void => {
      if (isReady) return onMessage(message);
      isReady = message.head === greeting;
      if (isReady) greeted.resolve(true);
    },
    endOf: (isSent: boolean, how: string): End => {
      if (isAsked) return { cause: 'asked', how };
      // Before the greeting, exit code 1 may come from Node itself if the code cannot be loaded.
      if (!isReady && (!isSent || how === 'code 1')) return { cause: 'start', how };
      if (isSent && memoryKills() !== killsBefore) return { cause: 'itself', how: `${how}, out of memory` };
      return { cause: isSent ? 'outside' : 'itself', how };
    },
  };
};

/** The namespaces that were found for each program and code, so that they are probed only once. */
const tried = new Map<string, ReturnType<typeof findNamespaces>>();

/** What the process can see, and its working folder. */
type View = [node: string, readable: readonly string[], folder: string];

const namespacesFor = (...view: View): ReturnType<typeof findNamespaces> => {
  const key = JSON.stringify(view);
  const found = tried.get(key) ?? findNamespaces(...view);
  tried.set(key, found);
  return found;
};

// Node resolves links before it checks permissions, so the real paths are needed, too.
const realPaths = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => [path, readRealPathSync(path)])),
];

/** Returns what the process can see if namespaces are wanted and possible; otherwise null. */
const viewOf = (node: string, { entry, readable, sandbox }: IsolatedOptions): View | null =>
  process.platform === 'linux' && sandbox?.namespaces !== false
    ? [node, realPaths([node, ...readable]), dirname(fileURLToPath(entry))]
    : null;

/** Returns the command that starts the process, and the names of its sandbox parts. */
const commandOf = (
  node: string,
  { entry, args = [], readable, sandbox }: IsolatedOptions,
  inside: Namespaces | null,
): { command: Command; sandbox: string } => {
  const isLocked = sandbox?.permissions !== false;
  const locks = isLocked ? [...lockFlags(realPaths(readable)), '--allow-worker'] : [];
  const flags = ['--no-warnings', `--max-old-space-size=${heapMb}`, ...locks];
  const command: Command = [node, ...flags, fileURLToPath(entry), ...args];
  const names = isLocked ? ['permissions'] : [];
  if (process.platform !== 'linux') return { command, sandbox: names.join(', ') };
  // Set before the process starts: on Linux a priority belongs to one thread, and new threads inherit it.
  const adjusted = String(Math.max(0, lowPriority - getPriority()));
  return {
    command: ['nice', '-n', adjusted, ...(inside ?? withLimits)(command)],
    sandbox: [...names, ...(inside ? ['namespaces'] : []), 'limits'].join(', '),
  };
};

const channelOf = (child: ChildProcess): Socket => {
  const pipe = child.stdio[channelFd];
  if (!(pipe instanceof Socket)) throw new Error('The process was started without its channel.');
  return pipe;
};

/** Starts a program with its channel and no other open file: inherited descriptors are replaced by /dev/null. */
const spawnCovered = (program: string, args: string[], options: SpawnOptions): ChildProcess => {
  const nothing = openSync(devNull, 'r');
  try {
    const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'ignore', 'ignore', 'pipe'];
    for (const fd of inheritedFiles(channelFd + 1)) {
      while (stdio.length < fd) stdio.push('ignore');
      stdio[fd] = nothing;
    }
    return spawn(program, args, { ...options, stdio });
  } finally {
    closeSync(nothing);
  }
};

const startBehind = (
  node: string,
  options: IsolatedOptions,
  inside: Namespaces | null,
  onMessage: (message: Message) => void,
): IsolatedProcess & { greeted: Promise<true> } => {
  const { command, sandbox } = commandOf(node, options, inside);
  const [program, ...args] = command;
  const life = createLife(onMessage);
  const child = spawnCovered(program, args, {
    env: environmentOf(options.env),
    // A locked thread must be able to read its process's working folder.
    cwd: dirname(fileURLToPath(options.entry)),
    windowsHide: true,
  });
  const kill = (): void => {
    life.ask();
    child.kill('SIGKILL');
  };
  const ended = new Promise<End>((resolve) => {
    child.on('error', (error) => resolve(life.endOf(false, error.message)));
    const onEnd = (code: number | null, signal: NodeJS.Signals | null): void => {
      const isSent = signal === null ? sentCodes.includes(code ?? 0) : sent.includes(signal);
      resolve(life.endOf(isSent, signal ?? `code ${code}`));
    };
    // `close` comes after all output is read; the timer covers a pipe that another process keeps open.
    child.on('close', onEnd).on('exit', (...how) => void setTimeout(onEnd, drainedWithinMs, ...how).unref());
  });
  try {
    if (child.pid !== undefined && process.platform !== 'linux') setPriority(child.pid, lowPriority);
  } catch {
    // Not permitted here, or the process has already ended.
  }
  const channel = channelOf(child);
  const read = createFrameReader(options.mostBytes, life.hear);
  channel.on('data', (piece) => {
    try {
      read(piece);
    } catch {
      // The process sent invalid data, so it is not trusted any more.
      child.kill('SIGABRT');
      channel.destroy();
    }
  });
  channel.on('error', () => undefined);
  const hold = (isHeld: boolean): void => {
    if (isHeld) void [child.ref(), channel.ref()];
    else void [child.unref(), channel.unref()];
  };
  hold(false);
  // If another process keeps the pipe open, its remaining data is discarded.
  void ended.then(() => channel.destroy());
  const send = (message: Message): Promise<void> => writeMessage(channel, message);
  return { pid: child.pid, facts: { program: 'Node', sandbox }, send, hold, kill, ended, greeted: life.greeted };
};

/** A process that has not sent its greeting after this time is killed. */
const greetsWithinMs = 10_000;

/**
 * Starts the process in the namespaces that most likely work. Returns null if it ended before it could take a job, or
 * sent no greeting; the caller must then probe for namespaces.
 */
const startInLikely = async (
  view: View,
  options: IsolatedOptions,
  onMessage: (message: Message) => void,
): Promise<IsolatedProcess | null> => {
  const [node, readable] = view;
  const likely = likelyNamespaces(readable);
  if (likely === null) return null;
  const early: Message[] = [];
  let hear = (message: Message): void => void early.push(message);
  const made = startBehind(node, options, likely, (message) => hear(message));
  made.hold(true);
  const late = setTimeout(made.kill, greetsWithinMs);
  const first = await Promise.race([made.greeted, made.ended]);
  clearTimeout(late);
  made.hold(false);
  if (first !== true) return first.cause === 'outside' || first.cause === 'itself' ? made : null;
  tried.set(JSON.stringify(view), Promise.resolve(likely));
  // Deliver messages only after the caller has received the process.
  setImmediate(() => {
    hear = onMessage;
    early.forEach(onMessage);
  });
  return made;
};

const startNode = async (
  node: string,
  options: IsolatedOptions,
  onMessage: (message: Message) => void,
): Promise<IsolatedProcess> => {
  const view = viewOf(node, options);
  if (view === null) return startBehind(node, options, null, onMessage);
  const started = tried.has(JSON.stringify(view)) ? null : await startInLikely(view, options, onMessage);
  return started ?? startBehind(node, options, await namespacesFor(...view), onMessage);
};

const isMessage = (data: unknown): data is Message =>
  typeof data === 'object' && data !== null && 'head' in data && 'parts' in data && Array.isArray(data.parts);

const startFork = (
  fork: Extract<Program, { kind: 'fork' }>['fork'],
  { entry, args = [], env, name }: IsolatedOptions,
  onMessage: (message: Message) => void,
): IsolatedProcess => {
  const life = createLife(onMessage);
  const child = fork(fileURLToPath(entry), [...args], {
    env: environmentOf(env),
    execArgv: [`--max-old-space-size=${heapMb}`],
    stdio: 'ignore',
    serviceName: name,
  });
  child.on('message', (data) => {
    if (isMessage(data)) life.hear(data);
  });
  const ended = new Promise<End>((resolve) => {
    child.on('exit', (code) => resolve(life.endOf(sentToFork.includes(code), `code ${code}`)));
  });
  const kill = (): void => {
    life.ask();
    child.kill();
  };
  return {
    pid: child.pid,
    facts: { program: 'Electron', sandbox: '' },
    // Electron copies the message synchronously.
    send: (message) => Promise.resolve(child.postMessage(message)),
    hold: () => undefined,
    kill,
    ended,
  };
};

/**
 * Starts a process without environment variables, files other than its code, network or other processes, as far as the
 * system supports that, and at low priority. docs/security.md lists the sandbox parts per system. A process that cannot
 * be started is returned as one that has ended.
 */
export const startIsolated = async (
  options: IsolatedOptions,
  onMessage: (message: Message) => void,
): Promise<IsolatedProcess> => {
  const { program } = options;
  return program.kind === 'node'
    ? startNode(program.path, options, onMessage)
    : startFork(program.fork, options, onMessage);
};
