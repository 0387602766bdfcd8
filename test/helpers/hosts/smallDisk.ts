import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { plainHost } from './programs.ts';
import { testFlags } from './startHeadless.ts';
import type { ProblemView } from '../../../src/core/base/problem.ts';
import type { CallAnswer, CallInput, CallName } from '../../../src/ipc/calls.ts';

/** Runs a script in separate namespaces, where an ordinary user may mount a disk. */
const buildNamespaceCommand = (script: string): [string, string[]] => ['unshare', ['-rm', 'sh', '-c', script]];

/** Returns why this machine cannot create a small disk, or null if it can. */
export const explainNoSmallDisk = (): string | null => {
  const [command, given] = buildNamespaceCommand('mount -t tmpfs -o size=1m tmpfs /mnt');
  const { status, error } = spawnSync(command, given);
  return status === 0 ? null : `no tmpfs can be mounted here (${error?.message ?? 'not allowed'})`;
};

/** Starts a host on a disk of two megabytes with this many kilobytes left, and returns its exit code and output. */
export const startOnFullDisk = (dataDir: string, leftKilobytes: number) => {
  mkdirSync(dataDir, { recursive: true });
  const [command, given] = buildNamespaceCommand(
    'mount -t tmpfs -o size=2m tmpfs "$1" && dd if=/dev/zero of="$1/filler" bs=1k count="$2" 2>&- ; shift 2; exec "$@"',
  );
  const started = [process.execPath, plainHost, ...testFlags(dataDir)];
  const ended = spawnSync(command, [...given, 'sh', dataDir, String(2_048 - leftKilobytes), ...started], {
    timeout: 60_000,
  });
  return { code: ended.status, stderr: ended.stderr.toString() };
};

const script = fileURLToPath(new URL('../processes/smallDiskProcess.ts', import.meta.url));
const reply = z.looseObject({ id: z.int() });
const outcome = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), problem: z.looseObject({ code: z.string(), sentence: z.string() }) }),
]);
type Outcome = z.infer<typeof outcome>;
/** Orders to the disk and the process; see smallDiskProcess.ts. */
type Orders = {
  start: [given: object, answer: null];
  stop: [given: object, answer: null];
  fill: [given: { leaving: number }, answer: null];
  free: [given: object, answer: null];
  readOnly: [given: { on: boolean; folder: string }, answer: null];
  pass: [given: { ms: number }, answer: null];
  damage: [given: object, answer: unknown[]];
  files: [given: { folder: string }, answer: string[]];
  receive: [given: { path: string }, answer: { uploadId: string }];
};

export type SmallDisk = ReturnType<typeof startOnSmallDisk>;

/** Starts a process with a disk of this many megabytes for its data folder; `start` starts a companion in it. */
export const startOnSmallDisk = (life: { dataDir: string; practiceUrl: string; megabytes: number }) => {
  mkdirSync(life.dataDir, { recursive: true });
  const [command, given] = buildNamespaceCommand('mount -t tmpfs -o size="$1"m tmpfs "$2" && exec "$3" "$4" "$5"');
  const child = spawn(
    command,
    [...given, 'sh', String(life.megabytes), life.dataDir, process.execPath, script, JSON.stringify(life)],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const waiting = new Map<number, (said: Outcome) => void>();
  let ended = false;
  let said = '';
  let last = 0;
  child.stderr.on('data', (data: Buffer) => void (said += data.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const parsed: unknown = JSON.parse(line);
    waiting.get(reply.parse(parsed).id)?.(outcome.parse(parsed));
  });
  const gone = once(child, 'close').then(() => {
    ended = true;
    for (const tell of waiting.values())
      tell({ ok: false, problem: { code: 'ENDED', sentence: `The process ended: ${said}` } });
  });
  const send = async (name: string, input: unknown): Promise<Outcome> => {
    if (ended) return { ok: false, problem: { code: 'ENDED', sentence: `The process ended: ${said}` } };
    const id = ++last;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    waiting.set(id, resolve);
    child.stdin.write(`${JSON.stringify({ id, name, given: input })}\n`);
    return promise.finally(() => waiting.delete(id));
  };
  const done = async (name: string, input: unknown): Promise<unknown> => {
    const answer = await send(name, input);
    if (!answer.ok) throw new Error(`${name}: ${answer.problem.code}: ${answer.problem.sentence}`);
    return answer.value;
  };
  const refusal = async (name: string, input: unknown): Promise<ProblemView> => {
    const answer = await send(name, input);
    if (answer.ok) throw new Error(`${name} was not refused: ${JSON.stringify(answer.value)}`);
    return answer.problem;
  };
  return {
    /** Makes a window's call and returns its value. */
    call: async <N extends CallName>(name: N, input: CallInput<N>): Promise<CallAnswer<N>> =>
      (await done(name, input)) as CallAnswer<N>,
    order: async <N extends keyof Orders>(name: N, input: Orders[N][0]): Promise<Orders[N][1]> =>
      (await done(name, input)) as Orders[N][1],
    /** Makes a window's call or gives an order, and returns the refusal. */
    refused: <N extends CallName>(name: N, input: CallInput<N>): Promise<ProblemView> => refusal(name, input),
    refusedOrder: <N extends keyof Orders>(name: N, input: Orders[N][0]): Promise<ProblemView> => refusal(name, input),
    /** Returns everything that the process logged. */
    log: (): string => said,
    close: async (): Promise<void> => {
      ended = true;
      child.stdin.end();
      await gone;
    },
  };
};
