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
 * Why an isolated process is no more. `asked`: whoever started it wanted that. `outside`: somebody else ended it, whatever
 * it had in work. `itself`: it failed, or took all memory. `start`: it ended before it could take anything.
 */
export type End = { cause: 'asked' | 'outside' | 'itself' | 'start'; how: string };

/** A process that was started, as whoever started it sees it. */
export type IsolatedProcess = {
  pid: number | undefined;
  /** What runs it, and what stands around it here, by name. */
  facts: { program: 'Node' | 'Electron'; sandbox: string };
  /** Resolves once nothing reads the bytes of the message any more. */
  send: (message: Message) => Promise<void>;
  /** Whether it keeps the process that started it alive; at first it does not. */
  hold: (isHeld: boolean) => void;
  /** Ends it by force; `ended` resolves when it is no more. */
  kill: () => void;
  ended: Promise<End>;
};

/** What Electron's `utilityProcess.fork` answers, as far as it is used here. */
export type Forked = {
  readonly pid?: number | undefined;
  on: ((event: 'message', listener: (data: unknown) => void) => unknown) &
    ((event: 'exit', listener: (code: number) => void) => unknown);
  postMessage: (message: unknown) => void;
  kill: () => boolean;
};
type ForkOptions = { env: Record<string, string>; execArgv: string[]; stdio: 'ignore'; serviceName: string };

/** What runs the code: a Node, by its path, or what makes a process of Electron. */
export type Program =
  | { kind: 'node'; path: string }
  | { kind: 'fork'; fork: (entry: string, args: string[], options: ForkOptions) => Forked };

/** Which parts of the sandbox are set up where the system has them: all, unless a test looks at one alone. */
export type SandboxParts = { permissions: boolean; namespaces: boolean };

export type IsolatedOptions = {
  program: Program;
  /** The name that lists of processes show, where the system has one. */
  name: string;
  entry: URL;
  args?: readonly string[] | undefined;
  /** Files and folders of its code; it reads nothing else. */
  readable: readonly string[];
  /** Variables that it finds, beside the zone of the clock. It inherits none. */
  env?: Record<string, string> | undefined;
  /** Bytes that may come with one message. */
  mostBytes: number;
  sandbox?: SandboxParts | undefined;
};

/** The packages of a copy: below it, or beside it where npm has put all packages into one folder. */
export const packagesOf = (root: string): string => {
  const below = join(root, 'node_modules');
  return existsSync(join(below, 'sharp')) ? below : dirname(root);
};

/** What an ended process had sent is read within this. */
const drainedWithinMs = 1_000;

/** Objects of JavaScript are small beside the pictures, which lie outside of its heap. */
const heapMb = 512;

/** Flags that lock a Node: it reads its code and writes, starts and debugs nothing. Native code is not held by them. */
export const lockFlags = (readable: readonly string[]): string[] => [
  '--permission',
  '--allow-addons',
  ...readable.map((path) => `--allow-fs-read=${path}`),
];

/** The zone that this system's clock is set to, where a link tells: loading the formats of dates takes a tenth of a start. */
const linkedZone = (): string | undefined => {
  try {
    return /\/zoneinfo\/(?:posix\/)?(\w.*)$/.exec(readlinkSync('/etc/localtime'))?.[1];
  } catch {
    return undefined;
  }
};

const zoneOf = (env: NodeJS.ProcessEnv): string =>
  (env['TZ'] === undefined ? linkedZone() : undefined) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone is in a file that the process cannot read; Windows starts nothing that uses the network or keys without its root. */
const environmentOf = (more: Record<string, string> = {}): Record<string, string> => {
  const root = process.env['SystemRoot'];
  return {
    TZ: zoneOf(process.env),
    ...(process.platform === 'win32' && root !== undefined ? { SystemRoot: root } : {}),
    ...more,
  };
};

/** How often this Linux has ended a process for want of memory; null where it does not say. */
const memoryKills = (): string | null => {
  if (process.platform !== 'linux') return null;
  try {
    return /^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
};

/** Signals that somebody sends; all others are raised by what the process does. */
const sent = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'];
/** The same as a shell tells them, and as `unshare` and Windows tell an end by force. */
const sentCodes = [1, 129, 130, 137, 143];
/** As Electron tells them. */
const sentToFork = [2, 9, 15, ...sentCodes];

/** Follows a process from its start to its end, and tells why it ended. */
const createLife = (onMessage: (message: Message) => void) => {
  const killsBefore = memoryKills();
  const greeted = Promise.withResolvers<true>();
  let isReady = false;
  let isAsked = false;
  return {
    ask: (): void => void (isAsked = true),
    /** Resolves once it has greeted. */
    greeted: greeted.promise,
    hear: (message: Message): void => {
      if (isReady) return onMessage(message);
      isReady = message.head === greeting;
      if (isReady) greeted.resolve(true);
    },
    endOf: (isSent: boolean, how: string): End => {
      if (isAsked) return { cause: 'asked', how };
      // Before the greeting this code may as well be Node's own, of code that cannot be loaded.
      if (!isReady && (!isSent || how === 'code 1')) return { cause: 'start', how };
      if (isSent && memoryKills() !== killsBefore) return { cause: 'itself', how: `${how}, out of memory` };
      return { cause: isSent ? 'outside' : 'itself', how };
    },
  };
};

/** The namespaces of each program and code that was asked for: they are tried once. */
const tried = new Map<string, ReturnType<typeof findNamespaces>>();

/** What a process is to see, and where it stands. */
type View = [node: string, readable: readonly string[], folder: string];

const namespacesFor = (...view: View): ReturnType<typeof findNamespaces> => {
  const key = JSON.stringify(view);
  const found = tried.get(key) ?? findNamespaces(...view);
  tried.set(key, found);
  return found;
};

// Code is found by its real path, wherever a link leads to it.
const realPaths = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => [path, readRealPathSync(path)])),
];

/** What the process is to see where namespaces are wanted and may be there; null elsewhere. */
const viewOf = (node: string, { entry, readable, sandbox }: IsolatedOptions): View | null =>
  process.platform === 'linux' && sandbox?.namespaces !== false
    ? [node, realPaths([node, ...readable]), dirname(fileURLToPath(entry))]
    : null;

/** What starts the process, and the names of the parts of its sandbox. */
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
  // Before anything of it runs: on Linux a priority is that of one thread, which those that it starts inherit.
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

/** Starts a program with its channel and no other open file: those that it would inherit are covered by nothing. */
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

/** Starts a Node with those namespaces around it, or with none. */
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
    // A thread that is locked may read the folder that its process stands in.
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
    // What it had sent is read before; but nobody waits for a pipe that is kept open.
    child.on('close', onEnd).on('exit', (...how) => void setTimeout(onEnd, drainedWithinMs, ...how).unref());
  });
  try {
    if (child.pid !== undefined && process.platform !== 'linux') setPriority(child.pid, lowPriority);
  } catch {
    // Not allowed here, or it has ended already.
  }
  const channel = channelOf(child);
  const read = createFrameReader(options.mostBytes, life.hear);
  channel.on('data', (piece) => {
    try {
      read(piece);
    } catch {
      // What is no message comes from a process that is not what was started.
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
  // Whatever keeps the pipe open, what still waits in it is for nobody.
  void ended.then(() => channel.destroy());
  const send = (message: Message): Promise<void> => writeMessage(channel, message);
  return { pid: child.pid, facts: { program: 'Node', sandbox }, send, hold, kill, ended, greeted: life.greeted };
};

/** A process that has not greeted by then is given up. */
const greetsWithinMs = 10_000;

/**
 * Starts it in the namespaces that are most likely there. Null when it ended by itself before it could take anything, or
 * never came so far: then it has to be tried which ones are there.
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
  // Whoever hears of it knows the process by then.
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
    // Copied on the way, all of it at once.
    send: (message) => Promise.resolve(child.postMessage(message)),
    hold: () => undefined,
    kill,
    ended,
  };
};

/**
 * Starts a process that holds nothing: no variable of this one's, no file but its code, no network and no other process
 * where the system can refuse them, and little of the processor. What each part of the sandbox does on which system is in
 * docs/security.md. One that cannot be started answers as one that has ended.
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
