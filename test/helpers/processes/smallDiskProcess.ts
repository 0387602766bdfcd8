// A companion in a separate process whose data folder is on a small disk that only this process sees. Reads a window's
// calls and orders to the disk as JSON lines.
import { startDataThread } from '../../../src/host/dataThread/startDataThread.ts';
import { spawnSync } from 'node:child_process';
import { closeSync, createReadStream, existsSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import * as z from 'zod';
import { createCompanion, type Companion } from '../../../src/core/companion/createCompanion.ts';
import { restoreAtStart } from '../../../src/core/companion/dataTasks/prepareData.ts';
import { toProblemView } from '../../../src/core/base/problem.ts';
import { lockDataFolder } from '../../../src/core/storage/folderLock.ts';
import { createLog } from '../../../src/host/createLog.ts';
import { createHandlers } from '../../../src/host/handlers.ts';
import { noShell } from '../../../src/host/shell.ts';
import type { CallReply } from '../../../src/ipc/calls.ts';
import { createCallServer } from '../../../src/ipc/serveCalls.ts';
import { fastClock } from '../hosts/fastClock.ts';
import { createMemorySecrets } from '../hosts/createMemorySecrets.ts';
import { createPracticePerson } from '../createPracticePerson.ts';
import { findLedgerDamage } from '../approvals/findLedgerDamage.ts';
import { startKitchen } from '../photos/startKitchen.ts';
import { createStartReport } from '../../../src/host/startReport.ts';

const args = z.object({ dataDir: z.string(), practiceUrl: z.string() }).parse(JSON.parse(process.argv[2] ?? ''));
const { dataDir } = args;
const secrets = createMemorySecrets();
const filler = join(dataDir, 'filler');

type Run = {
  companion: Companion;
  serve: (name: string, input: unknown) => Promise<CallReply>;
  end: () => Promise<void>;
};
let run: Run | null = null;

const start = async (): Promise<null> => {
  const log = createLog({ dataDir, verbose: true });
  const unlocks = [log.close];
  const letGo = async (): Promise<void> => {
    for (const one of unlocks.toReversed()) await one();
  };
  try {
    const unlock = lockDataFolder(dataDir);
    unlocks.push(async () => unlock());
    await restoreAtStart({ dataDir, startDataThread, clock: fastClock, reportStart: () => undefined }, null);
    const companion = await createCompanion(
      {
        dataDir,
        version: '0.0.0',
        service: { kind: 'practice', url: args.practiceUrl },
        startPhotoProcess: startKitchen,
        startDataThread,
        practicePerson: () => createPracticePerson(args.practiceUrl, 'full@practice.example'),
      },
      { clock: fastClock, random: () => 0, secrets, notify: () => {}, log: log.log },
    );
    await companion.start();
    if (companion.state(null).connection === 'none') await companion.connect.practice();
    const handlers = createHandlers(companion, {
      shell: noShell,
      startReport: createStartReport(() => undefined),
      log,
      bridgeUrl: () => '',
      openLink: async () => {},
      samplesDir: '',
      ...{ clients: {} as never, labels: {} as never },
      forgetEverything: () => undefined,
    });
    const serve = createCallServer({ handlers, requireProof: () => undefined, problemView: toProblemView });
    const windowSession = companion.approvals.windowSessions.open('window');
    run = {
      companion,
      serve: (name, input) => serve(name, input, { windowSession }),
      end: async () => {
        await companion.stop();
        await letGo();
      },
    };
    return null;
  } catch (error) {
    await letGo();
    throw error;
  }
};

/** Truncates SQLite's log, which would otherwise be overwritten in space that it already has. */
const emptyLog = (): void => {
  const db = new Database(join(dataDir, 'companion.db'));
  const [done] = z.array(z.object({ busy: z.int() })).parse(db.pragma('wal_checkpoint(truncate)'));
  db.close();
  if (done?.busy !== 0) throw new Error('The log of the database is in use.');
};

/** Fills the disk and then frees this many bytes. */
const fill = ({ leaving }: { leaving: number }): null => {
  rmSync(filler, { force: true });
  if (run) emptyLog();
  const file = openSync(filler, 'a');
  const left = Buffer.alloc(leaving);
  const keep = join(dataDir, 'kept free');
  const kept = openSync(keep, 'w');
  writeSync(kept, left);
  closeSync(kept);
  try {
    for (;;) writeSync(file, Buffer.alloc(4_096));
  } catch (error) {
    if (toProblemView(error).code !== 'DISK_FULL') throw error;
  } finally {
    closeSync(file);
    rmSync(keep);
  }
  return null;
};

const mount = (...how: string[]): null => {
  const { status, stderr } = spawnSync('mount', how, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mount ${how.join(' ')}: ${stderr}`);
  return null;
};

const filesIn = (folder: string): string[] =>
  existsSync(join(dataDir, folder)) ? readdirSync(join(dataDir, folder)) : [];

const orders: Record<string, (given: never) => unknown> = {
  start,
  stop: async () => {
    await run?.end();
    run = null;
    return null;
  },
  fill,
  free: () => (rmSync(filler, { force: true }), null),
  /** Makes the photos' folder or the whole disk read-only, or writable again. */
  readOnly: ({ on, folder }: { on: boolean; folder: string }) => {
    if (folder === '') return mount('-o', on ? 'remount,ro' : 'remount,rw', dataDir);
    if (on) return mount('-t', 'tmpfs', '-o', 'ro', 'tmpfs', join(dataDir, folder));
    spawnSync('umount', [join(dataDir, folder)]);
    return null;
  },
  /** Lets time pass in which a prompt is visible. */
  pass: ({ ms }: { ms: number }) => (fastClock.advance(ms), null),
  damage: () => findLedgerDamage(dataDir),
  files: ({ folder }: { folder: string }) => filesIn(folder),
  /** The bytes of a photo, as a browser sends them. */
  receive: ({ path }: { path: string }) => run?.companion.receivePhoto(createReadStream(path)),
};

const order = z.object({ id: z.int(), name: z.string(), given: z.unknown() });

const answer = async (name: string, given: unknown): Promise<object> => {
  const act = orders[name];
  if (!act) return run ? run.serve(name, given) : { ok: false, problem: { code: 'STOPPED', sentence: name } };
  try {
    return { ok: true, value: await act(given as never) };
  } catch (error) {
    const view = toProblemView(error);
    return { ok: false, problem: view.code === 'INTERNAL' ? { ...view, sentence: String(error) } : view };
  }
};

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { id, name, given } = order.parse(JSON.parse(line));
  void answer(name, given).then((said) => process.stdout.write(`${JSON.stringify({ id, ...said })}\n`));
});
// The input closes when the test ends. Unfinished writes do not matter then.
lines.on('close', () => process.exit(0));
