import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../src/host/createLog.ts';
import { dataTurn } from '../../../src/host/dataThread/startDataThread.ts';
import { listDescendants, signalAll } from '../../helpers/hosts/listDescendants.ts';
import { runTestHost } from '../../helpers/hosts/testHost.ts';
import { getFixtureFolder } from '../../helpers/photos/getFixtureFolder.ts';
import { watchKitchens } from '../../helpers/photos/kitchens.ts';
import { createTempDir } from '../../helpers/photos/photoWorld.ts';
import { waitUntil } from '../../helpers/testClock.ts';

/** Starts a companion that is preparing photos, and watches its photo process. */
const startWithPhotos = async () => {
  const dataDir = await createTempDir();
  const { startKitchen, started } = watchKitchens();
  const log = createLog({ dataDir, verbose: false });
  const running = await runTestHost(dataDir, { startKitchen, log });
  /** Returns the id of the photo process once it has started. */
  const getPhotoProcess = (): Promise<number> => waitUntil(() => started.at(-1)?.pid, 'the photo process');
  onTestFinished(async () => {
    await running.stop();
    await log.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const folder = join(dataDir, 'photos');
  await mkdir(folder);
  for (const nth of [1, 2, 3, 4])
    await copyFile(join(await getFixtureFolder(), 'good', 'large.jpg'), join(folder, `${nth}.jpg`));
  const { handlers } = running;
  await handlers['connect.practice']({});
  const { itemIds } = await handlers['items.add']({ sources: { kind: 'paths', paths: [folder] } });
  const readItem = () => handlers['items.get']({ itemId: itemIds[0] ?? '' });
  return { running, handlers, readItem, getPhotoProcess };
};

test.skipIf(process.platform !== 'linux')(
  'a frozen photo process delays only photos and is replaced when it is killed',
  async () => {
    const { handlers, readItem, getPhotoProcess } = await startWithPhotos();
    const pid = await getPhotoProcess();
    signalAll(pid, 'SIGSTOP');
    expect((await readItem()).step).toBe('photos');
    expect((await handlers['items.counts']({})).running).toBe(1);
    expect((await handlers['app.state']({})).connection).toBe('connected');
    /** Returns the log line with these words once the diagnostics contain it. */
    const findLogLine = (words: string): Promise<string> =>
      waitUntil(async () => {
        const { text } = await handlers['app.diagnostics']({});
        return text.split('\n').find((one) => one.includes(words));
      }, words);
    const started = await findLogLine('Photos are decoded in a process of their own.');
    for (const fact of ['Node', 'permissions', 'limits', 'native']) expect(started).toContain(fact);
    signalAll(pid, 'SIGKILL');
    await waitUntil(async () => (await readItem()).step !== 'photos', 'photos that are prepared');
    expect((await readItem()).photos.map(({ state }) => state)).not.toContain('refused');
    expect(await findLogLine('The process that decodes photos ended.')).toContain('outside');
  },
);

test.skipIf(process.platform !== 'linux')('the companion stops even if its photo process is frozen', async () => {
  const { running, getPhotoProcess } = await startWithPhotos();
  const pid = await getPhotoProcess();
  const all = [pid, ...listDescendants(pid)];
  signalAll(pid, 'SIGSTOP');
  expect(await running.stop()).toEqual([]);
  expect(listDescendants(process.pid).filter((one) => all.includes(one))).toEqual([]);
});

test('a data thread learns that the person uses a window', async () => {
  const { handlers } = await startWithPhotos();
  const countReports = (): number => Atomics.load(dataTurn, 1);
  const before = countReports();
  await handlers['app.used']({});
  expect(countReports() - before).toBe(1);
});
