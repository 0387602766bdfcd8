import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { createPhotoWorkers } from '../../../../src/core/photos/workers.ts';
import { stopParts } from '../../../../src/core/base/stopParts.ts';
import { settled, testClock } from '../../../helpers/testClock.ts';
import { tempDir } from '../../../helpers/photos/photoWorld.ts';
import { createPhotoReader } from '../../../../src/practice/writer/reading/photoReader.ts';

// A thread that opens a pipe nobody writes to stands in the system, as one inside a decoder does: no request to end it
// reaches it there. Windows has no such pipes in folders.
const withPipes = test.skipIf(process.platform === 'win32');

/** A worker that is stuck with its first job, until somebody opens the other end of the pipe. */
const stuckWorker = async () => {
  const dir = await tempDir();
  const [pipe, here, path] = [join(dir, 'pipe'), join(dir, 'here'), join(dir, 'stuckWorker.mjs')];
  execFileSync('mkfifo', [pipe]);
  await writeFile(
    path,
    `import { parentPort } from 'node:worker_threads';
     import { openSync, writeFileSync } from 'node:fs';
     parentPort.on('message', () => {
       writeFileSync(${JSON.stringify(here)}, '');
       openSync(${JSON.stringify(pipe)}, 'r');
     });`,
  );
  const release = async (): Promise<void> => (await open(pipe, 'w')).close();
  return {
    dir,
    url: pathToFileURL(path),
    stuck: () => settled(() => existsSync(here), 'the thread to stand'),
    release,
  };
};

withPipes('closing waits for a photo thread that was ended and has not; its bound names it', async () => {
  const { dir, url, stuck, release } = await stuckWorker();
  const workers = createPhotoWorkers({ workerUrl: url, size: 1 });
  const abort = new AbortController();
  const job = { source: join(dir, 'a.jpg'), outDir: dir };
  const glance = workers.thumbnail(job, abort.signal).catch((error: unknown) => error);
  await stuck();
  abort.abort(new Error('not wanted'));
  expect(await glance).toMatchObject({ message: 'not wanted' });

  const clock = testClock();
  const lines: unknown[] = [];
  const closed = workers.close();
  const stopped = stopParts([{ name: 'photo threads', stop: () => closed }], {
    clock,
    log: (level, _message, facts) => lines.push([level, facts]),
  });
  await settled(() => clock.next() !== null, 'the bound');
  clock.advance(5_000);
  expect(await stopped).toEqual(['photo threads']);
  expect(lines).toEqual([['error', { part: 'photo threads' }]]);
  await release();
  await closed;
});

withPipes('a reader of photos waits for its stuck thread in the same way', async () => {
  const { dir, url, stuck, release } = await stuckWorker();
  const reader = createPhotoReader({ workerUrl: url });
  const reading = reader.read(join(dir, 'a.jpg'));
  await stuck();
  void reader.close();
  let isClosed = false;
  const closed = reader.close().then(() => (isClosed = true));
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  await release();
  await closed;
  expect(await reading).toBeUndefined();
});
