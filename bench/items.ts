import { startDataThread } from '../src/host/dataThread/startDataThread.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { createHandlers } from '../src/host/handlers.ts';
import { createCallServer } from '../src/ipc/serveCalls.ts';
import { readAccount, addManyItemsTo } from '../test/helpers/manyItems.ts';
import { createMemorySecrets } from '../test/helpers/hosts/createMemorySecrets.ts';
import { startTestPractice } from '../test/helpers/practice.ts';
import { against, compare, takeMedian, type Compared } from './compare.ts';
import { createCompanion } from '../src/core/companion/createCompanion.ts';
import { toProblemView } from '../src/core/base/problem.ts';
import { systemClock } from '../src/core/base/clock.ts';
import { startKitchen } from '../test/helpers/photos/startKitchen.ts';
import { createStartReport } from '../src/host/startReport.ts';

const count = 10_000;
const goalMs = 50;
const rounds = 9;

/** Returns the longest time in ms for which the work blocked the event loop. */
const longestBlock = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0;
  let done = false;
  let last = performance.now();
  const watch = async (): Promise<void> => {
    while (!done) {
      await immediate();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
  };
  const watching = watch();
  await immediate();
  await work().finally(() => (done = true));
  await watching;
  return longest;
};

const startFull = async (dataDir: string) => {
  const practice = await startTestPractice();
  const person = () => practice.person({ plan: 'Scale', connected: true, site: 'MKT_US' });
  const companion = await createCompanion(
    {
      dataDir,
      version: '0.0.0',
      service: { kind: 'practice', url: practice.url },
      startPhotoProcess: startKitchen,
      startDataThread,
      practicePerson: async () => ({ ...(await person()), email: 'bench@practice.example' }),
    },
    {
      clock: systemClock,
      random: Math.random,
      secrets: createMemorySecrets(),
      notify: () => undefined,
      log: () => undefined,
    },
  );
  await companion.start();
  await companion.connect.practice();
  addManyItemsTo(dataDir, readAccount(dataDir), count);
  const close = async (): Promise<void> => {
    await companion.stop();
    await practice.close();
  };
  return { companion, close };
};

export const benchItems = async (): Promise<Compared[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-items-'));
  const { companion, close } = await startFull(dataDir);
  const unused = (): never => {
    throw new Error('Nothing here needs a shell.');
  };
  const serve = createCallServer({
    requireProof: () => undefined,
    problemView: toProblemView,
    handlers: createHandlers(companion, {
      ...{ shell: { state: unused, showLogs: unused, crashes: () => [] } as never, log: { dir: '' } as never },
      ...{
        bridgeUrl: () => '',
        openLink: unused,
        samplesDir: '',
        startReport: createStartReport(() => undefined),
        forgetEverything: () => undefined,
        mayOpen: () => false,
        ...{ clients: {} as never, labels: {} as never },
      },
    }),
  });
  const ask = async (name: string, input: object): Promise<unknown> => {
    const reply = await serve(name, input);
    if (!reply.ok) throw new Error(reply.problem.sentence);
    return JSON.stringify(reply);
  };
  const bare = new Database(join(dataDir, 'companion.db'), { readonly: true });
  const page = bare.prepare('select * from items order by created_at desc limit 100 offset ?');
  const photos = bare.prepare('select * from photos where item_id = ? order by position');
  const readBare = async (offset: number): Promise<unknown> =>
    JSON.stringify((page.all(offset) as { item_id: string }[]).map(({ item_id }) => photos.all(item_id)));
  try {
    const blocks = async (what: string, name: string, input: object): Promise<Compared> => {
      const longest: number[] = [];
      for (let round = 0; round < rounds; round += 1) longest.push(await longestBlock(() => ask(name, input)));
      // Takes the median, because other processes block the event loop too.
      return against(`${what}, longest block`, 'ms', takeMedian(longest), 'the goal', goalMs);
    };
    const first = await blocks(`items.list of ${count}: first page`, 'items.list', {});
    return [
      first,
      await blocks(`items.list of ${count}: last page`, 'items.list', { offset: count - 100 }),
      await blocks(`items.list of ${count}: found by words`, 'items.list', { find: 'camera ready' }),
      await blocks(`items.list of ${count}: to move photos to`, 'items.list', { only: 'arrangeable' }),
      await blocks(`items.ready of ${count}`, 'items.ready', {}),
      await blocks(`items.counts of ${count}`, 'items.counts', {}),
      await blocks(`items.beside of ${count}`, 'items.beside', { itemId: `it_many_${count / 2}`, way: 'review' }),
      await compare(
        { what: 'items.list, a page: longest block', unit: 'ms', peer: 'better-sqlite3, the same rows unchecked' },
        () => longestBlock(() => ask('items.list', { offset: count / 2 })),
        () => longestBlock(() => readBare(count / 2)),
        rounds,
      ),
    ];
  } finally {
    bare.close();
    await close();
    await rm(dataDir, { recursive: true, force: true });
  }
};
