import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, writeFile } from 'node:fs';
import { devNull, getPriority, setPriority } from 'node:os';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRealPathSync } from '../disk/realPath.ts';
import { channelFd, greeting, lowPriority } from './childChannel.ts';
import { createFrameReader, isMessage, writeMessageFrames, type Message } from './frames.ts';
import {
  findWorkingNamespaces,
  listInheritedFiles,
  guessLikelyNamespaces,
  wrapWithLimits,
  type Command,
  type NamespaceWrapper,
} from './linuxSandbox.ts';

/**
 * Why a process ended. `asked`: the caller ended it. `outside`: another process ended it. `itself`: it failed or used
 * too much memory. `start`: it ended before it was ready.
 */
export type ProcessEnd = { cause: 'asked' | 'outside' | 'itself' | 'start'; how: string };

export type IsolatedProcess = {
  pid: number | undefined;
  facts: { program: 'Node' | 'Electron'; sandbox: string };
  /** Resolves when the bytes of the message are no longer read. */
  send: (message: Message) => Promise<void>;
  /** Sets whether the process keeps its parent process alive. Initially it does not. */
  keepParentAlive: (isHeld: boolean) => void;
  kill: () => void;
  ended: Promise<ProcessEnd>;
};

export type ForkedProcess = {
  readonly pid?: number | undefined;
  on: ((event: 'message', listener: (data: unknown) => void) => unknown) &
    ((event: 'exit', listener: (code: number) => void) => unknown);
  postMessage: (message: unknown) => void;
  kill: () => boolean;
};
type ForkOptions = { env: Record<string, string>; execArgv: string[]; stdio: 'ignore'; serviceName: string };

export type ProcessRuntime =
  | { kind: 'node'; path: string }
  | { kind: 'fork'; fork: (entry: string, args: string[], options: ForkOptions) => ForkedProcess };

export type SandboxParts = { permissions: boolean; namespaces: boolean };

export type IsolatedOptions = {
  program: ProcessRuntime;
  name: string;
  entry: URL;
  args?: readonly string[] | undefined;
  readable: readonly string[];
  /** Environment variables in addition to the time zone. The process inherits no variables from its parent. */
  env?: Record<string, string> | undefined;
  maxBytes: number;
  sandbox?: SandboxParts | undefined;
};

/** Returns the folder that contains the packages. npm might have installed them beside the companion. */
export const getPackagesDir = (root: string): string => {
  const below = join(root, 'node_modules');
  return existsSync(join(below, 'sharp')) ? below : dirname(root);
};

const maxDrainMs = 1_000;

/** JavaScript objects need little memory, because pictures are outside the V8 heap. */
const heapMb = 512;

/** Returns Node flags that forbid writing files, starting processes and debugging. They do not restrict native code. */
export const createPermissionFlags = (readable: readonly string[]): string[] => [
  '--permission',
  '--allow-addons',
  ...readable.map((path) => `--allow-fs-read=${path}`),
];

/** Reads the name of the time zone from a symbolic link, because loading Intl would take a tenth of the start time. */
const readLinkedZone = (): string | undefined => {
  try {
    return /\/zoneinfo\/(?:posix\/)?(\w.*)$/.exec(readlinkSync('/etc/localtime'))?.[1];
  } catch {
    return undefined;
  }
};

const readTimeZone = (env: NodeJS.ProcessEnv): string =>
  (env['TZ'] === undefined ? readLinkedZone() : undefined) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Sets TZ because the sandbox hides the time zone file, and SystemRoot because a Windows process without it can use
 * neither the network nor keys.
 */
const createChildEnvironment = (more: Record<string, string> = {}): Record<string, string> => {
  const root = process.env['SystemRoot'];
  return {
    TZ: readTimeZone(process.env),
    ...(process.platform === 'win32' && root !== undefined ? { SystemRoot: root } : {}),
    ...more,
  };
};

const readMemoryKillCount = (): string | null => {
  if (process.platform !== 'linux') return null;
  try {
    return /^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
};

/** Signals that other processes send. A process raises all other signals itself. */
const sentSignals = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'];
/** The exit codes that a shell, `unshare` and Windows return for these signals. */
const sentCodes = [1, 129, 130, 137, 143];
const sentForkCodes = [2, 9, 15, ...sentCodes];

const createProcessTracker = (onMessage: (message: Message) => void) => {
  const killsBefore = readMemoryKillCount();
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
    endOf: (isSent: boolean, how: string): ProcessEnd => {
      if (isAsked) return { cause: 'asked', how };
      // Before the first message of the process, exit code 1 might mean that Node could not load the code.
      if (!isReady && (!isSent || how === 'code 1')) return { cause: 'start', how };
      if (isSent && readMemoryKillCount() !== killsBefore) return { cause: 'itself', how: `${how}, out of memory` };
      return { cause: isSent ? 'outside' : 'itself', how };
    },
  };
};

const triedNamespaces = new Map<string, ReturnType<typeof findWorkingNamespaces>>();

type SandboxView = [node: string, readable: readonly string[], folder: string];

const findNamespacesOnce = (...view: SandboxView): ReturnType<typeof findWorkingNamespaces> => {
  const key = JSON.stringify(view);
  const found = triedNamespaces.get(key) ?? findWorkingNamespaces(...view);
  triedNamespaces.set(key, found);
  return found;
};

// Node resolves symbolic links before it checks permissions, so it also needs the real paths.
const addRealPaths = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => [path, readRealPathSync(path)])),
];

const getSandboxView = (node: string, { entry, readable, sandbox }: IsolatedOptions): SandboxView | null =>
  process.platform === 'linux' && sandbox?.namespaces !== false
    ? [node, addRealPaths([node, ...readable]), dirname(fileURLToPath(entry))]
    : null;

const createSandboxedCommand = (
  node: string,
  { entry, args = [], readable, sandbox }: IsolatedOptions,
  inside: NamespaceWrapper | null,
): { command: Command; sandbox: string } => {
  const isLocked = sandbox?.permissions !== false;
  const locks = isLocked ? [...createPermissionFlags(addRealPaths(readable)), '--allow-worker'] : [];
  const flags = ['--no-warnings', `--max-old-space-size=${heapMb}`, ...locks];
  const command: Command = [node, ...flags, fileURLToPath(entry), ...args];
  const names = isLocked ? ['permissions'] : [];
  if (process.platform !== 'linux') return { command, sandbox: names.join(', ') };
  // The priority is set before the start, because Linux sets it per thread and new threads inherit it.
  const adjusted = String(Math.max(0, lowPriority - getPriority()));
  return {
    command: ['nice', '-n', adjusted, ...(inside ?? wrapWithLimits)(command)],
    sandbox: [...names, ...(inside ? ['namespaces'] : []), 'limits'].join(', '),
  };
};

const requireChannelSocket = (child: ChildProcess): Socket => {
  const pipe = child.stdio[channelFd];
  if (!(pipe instanceof Socket)) throw new Error('The process was started without its channel.');
  return pipe;
};

/** Replaces inherited file descriptors with /dev/null, so that the process has no open file besides its channel. */
const spawnWithChannelOnly = (program: string, args: string[], options: SpawnOptions): ChildProcess => {
  const nothing = openSync(devNull, 'r');
  try {
    const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'ignore', 'ignore', 'pipe'];
    for (const fd of listInheritedFiles(channelFd + 1)) {
      while (stdio.length < fd) stdio.push('ignore');
      stdio[fd] = nothing;
    }
    return spawn(program, args, { ...options, stdio });
  } finally {
    closeSync(nothing);
  }
};

/** Linux lets a user change one session within this time. */
const sessionChangeMs = 100;
const maxSessionChanges = 10;

/**
 * Many Linux desktops compare priorities only within a session. The process is the first of a session of its own, so
 * this lowers the priority of that session. Systems without such priorities have no such file.
 */
const lowerSessionPriority = (child: ChildProcess, attempts = maxSessionChanges): void => {
  if (child.pid === undefined || child.exitCode !== null) return;
  writeFile(`/proc/${child.pid}/autogroup`, String(lowPriority), (error) => {
    if (error?.code !== 'EAGAIN' || attempts <= 1) return;
    setTimeout(() => lowerSessionPriority(child, attempts - 1), sessionChangeMs).unref();
  });
};

const startInNamespaces = (
  node: string,
  options: IsolatedOptions,
  inside: NamespaceWrapper | null,
  onMessage: (message: Message) => void,
): IsolatedProcess & { greeted: Promise<true> } => {
  const { command, sandbox } = createSandboxedCommand(node, options, inside);
  const [program, ...args] = command;
  const life = createProcessTracker(onMessage);
  const child = spawnWithChannelOnly(program, args, {
    env: createChildEnvironment(options.env),
    // A thread under Node's permission model must be able to read the working folder of its process.
    cwd: dirname(fileURLToPath(options.entry)),
    windowsHide: true,
    detached: process.platform === 'linux',
  });
  const kill = (): void => {
    life.ask();
    child.kill('SIGKILL');
  };
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.on('error', (error) => resolve(life.endOf(false, error.message)));
    const onEnd = (code: number | null, signal: NodeJS.Signals | null): void => {
      const isSent = signal === null ? sentCodes.includes(code ?? 0) : sentSignals.includes(signal);
      resolve(life.endOf(isSent, signal ?? `code ${code}`));
    };
    // `close` is emitted after all output has been read. The timer is needed if another process keeps the pipe open.
    child.on('close', onEnd).on('exit', (...how) => void setTimeout(onEnd, maxDrainMs, ...how).unref());
  });
  if (process.platform === 'linux') lowerSessionPriority(child);
  try {
    if (child.pid !== undefined && process.platform !== 'linux') setPriority(child.pid, lowPriority);
  } catch {
    // Ignore the error: the system forbids the change of the priority, or the process has already ended.
  }
  const channel = requireChannelSocket(child);
  const read = createFrameReader(options.maxBytes, life.hear);
  channel.on('data', (piece) => {
    try {
      read(piece);
    } catch {
      // The process sent invalid data, so it is no longer trusted.
      child.kill('SIGABRT');
      channel.destroy();
    }
  });
  channel.on('error', () => undefined);
  const keepParentAlive = (isHeld: boolean): void => {
    if (isHeld) void [child.ref(), channel.ref()];
    else void [child.unref(), channel.unref()];
  };
  keepParentAlive(false);
  // If another process keeps the pipe open, its remaining data is discarded.
  void ended.then(() => channel.destroy());
  const send = (message: Message): Promise<void> => writeMessageFrames(channel, message);
  return {
    pid: child.pid,
    facts: { program: 'Node', sandbox },
    send,
    keepParentAlive,
    kill,
    ended,
    greeted: life.greeted,
  };
};

const maxGreetingMs = 10_000;

/** Returns null if the process ended before it was ready. The caller must then test which namespaces work. */
const startInLikelyNamespaces = async (
  view: SandboxView,
  options: IsolatedOptions,
  onMessage: (message: Message) => void,
): Promise<IsolatedProcess | null> => {
  const [node, readable] = view;
  const likely = guessLikelyNamespaces(readable);
  if (likely === null) return null;
  const early: Message[] = [];
  let handleMessage = (message: Message): void => void early.push(message);
  const made = startInNamespaces(node, options, likely, (message) => handleMessage(message));
  made.keepParentAlive(true);
  const late = setTimeout(made.kill, maxGreetingMs);
  const first = await Promise.race([made.greeted, made.ended]);
  clearTimeout(late);
  made.keepParentAlive(false);
  if (first !== true) return first.cause === 'outside' || first.cause === 'itself' ? made : null;
  triedNamespaces.set(JSON.stringify(view), Promise.resolve(likely));
  // The caller must have received the process before it gets messages.
  setImmediate(() => {
    handleMessage = onMessage;
    early.forEach(onMessage);
  });
  return made;
};

const startNodeProcess = async (
  node: string,
  options: IsolatedOptions,
  onMessage: (message: Message) => void,
): Promise<IsolatedProcess> => {
  const view = getSandboxView(node, options);
  if (view === null) return startInNamespaces(node, options, null, onMessage);
  const started = triedNamespaces.has(JSON.stringify(view))
    ? null
    : await startInLikelyNamespaces(view, options, onMessage);
  return started ?? startInNamespaces(node, options, await findNamespacesOnce(...view), onMessage);
};

const startForkedProcess = (
  fork: Extract<ProcessRuntime, { kind: 'fork' }>['fork'],
  { entry, args = [], env, name }: IsolatedOptions,
  onMessage: (message: Message) => void,
): IsolatedProcess => {
  const life = createProcessTracker(onMessage);
  const child = fork(fileURLToPath(entry), [...args], {
    env: createChildEnvironment(env),
    execArgv: [`--max-old-space-size=${heapMb}`],
    stdio: 'ignore',
    serviceName: name,
  });
  child.on('message', (data) => {
    if (isMessage(data)) life.hear(data);
  });
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.on('exit', (code) => resolve(life.endOf(sentForkCodes.includes(code), `code ${code}`)));
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
    keepParentAlive: () => undefined,
    kill,
    ended,
  };
};

/**
 * Starts a process at low priority in the strongest sandbox that the system supports. If the start fails, the returned
 * process has already ended.
 */
export const startIsolated = async (
  options: IsolatedOptions,
  onMessage: (message: Message) => void,
): Promise<IsolatedProcess> => {
  const { program } = options;
  return program.kind === 'node'
    ? startNodeProcess(program.path, options, onMessage)
    : startForkedProcess(program.fork, options, onMessage);
};
