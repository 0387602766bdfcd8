import { execFileSync } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { getFixtureFolder } from '../../../helpers/photos/getFixtureFolder.ts';
import { kitchenCode } from '../../../helpers/photos/startKitchen.ts';
import { expectPrepared, startWorkers, createTempDir } from '../../../helpers/photos/photoWorld.ts';

// A thread that opens a pipe without a writer is blocked in a system call, like a thread in a decoder, and cannot be
// asked to end. Windows has no such pipes in folders.
const withPipes = test.skipIf(process.platform === 'win32');

/** Starts a kitchen whose threads block in a system call on their first job. */
const startStuckKitchen = async () => {
  const dir = await createTempDir();
  const [here, pipe, path] = [join(dir, 'here'), join(dir, 'pipe'), join(dir, 'stuckThread.mjs')];
  execFileSync('mkfifo', [here, pipe]);
  await writeFile(
    path,
    `import { parentPort } from 'node:worker_threads';
     import { openSync } from 'node:fs';
     parentPort.on('message', ({ job }) => {
       if (job?.longEdgePx !== 666) return;
       openSync(${JSON.stringify(here)}, 'r');
       openSync(${JSON.stringify(pipe)}, 'r');
     });
     await import(${JSON.stringify(kitchenCode.thread.href)});`,
  );
  // A blocked thread cannot report itself: a pipe can be opened for writing only after the thread has opened it.
  const waitUntilBlocked = async (): Promise<void> => (await open(here, 'w')).close();
  return { dir, thread: { url: pathToFileURL(path), dir }, waitUntilBlocked };
};

withPipes('the photo process is replaced if an aborted photo blocks its thread', { timeout: 30_000 }, async () => {
  const { thread, waitUntilBlocked } = await startStuckKitchen();
  const { workers, outDir } = await startWorkers({ size: 1, thread });
  const source = join(await getFixtureFolder(), 'good', 'large.jpg');
  const abort = new AbortController();
  const stuck = workers.prepare({ source, outDir, longEdgePx: 666 }, abort.signal).catch((error: unknown) => error);
  await waitUntilBlocked();
  abort.abort(new Error('not wanted'));
  expect(await stuck).toMatchObject({ message: 'not wanted' });
  const others = [401, 402, 403].map((longEdgePx) => workers.prepare({ source, outDir, longEdgePx }));
  for (const other of await Promise.all(others)) expectPrepared(other);
});

withPipes('the photo workers close without waiting for a blocked thread', async () => {
  const { thread, waitUntilBlocked } = await startStuckKitchen();
  const { workers, outDir } = await startWorkers({ size: 1, thread });
  const source = join(await getFixtureFolder(), 'good', 'photo.jpg');
  const stuck = workers.prepare({ source, outDir, longEdgePx: 666 }).catch((error: unknown) => error);
  await waitUntilBlocked();
  await workers.close();
  expect(await stuck).toMatchObject({ message: expect.stringContaining('closed') as string });
});
