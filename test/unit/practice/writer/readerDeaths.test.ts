import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createBuiltInWriter } from '../../../../src/practice/writer/chooseWriter.ts';
import { createPhotoReader } from '../../../../src/practice/writer/reading/photoReader.ts';
import type { StartProcess } from '../../../../src/isolated/processClient.ts';
import { photoReading } from '../../../../src/practice/writer/startReader.ts';
import type { IsolatedProcess } from '../../../../src/isolated/startIsolated.ts';
import { listDescendants } from '../../../helpers/hosts/listDescendants.ts';
import { createTestClock, waitUntil } from '../../../helpers/testClock.ts';
import { drawnPhoto } from '../../../helpers/practice.ts';
import { readerCode } from '../../../helpers/practice/startReader.ts';
import { createTempDir } from '../../../helpers/photos/photoWorld.ts';
import { buildCrashCode } from '../../../helpers/photos/kitchens.ts';

/** Contents of photos whose reading kills the thread or the process, blocks in a system call or never ends. */
const kinds = {
  thread: 'ends its thread',
  process: 'ends its process',
  stuck: 'blocks in the system',
  endless: 'never ends',
} as const;

/** Starts a real reader process. Its threads behave as the content of a photo says, and read every other photo. */
const startReaderWorld = async () => {
  const dir = await createTempDir();
  const [here, pipe, thread, entry] = ['here', 'pipe', 'thread.mjs', 'entry.mjs'].map((name) => join(dir, name));
  if (process.platform !== 'win32') execFileSync('mkfifo', [here!, pipe!]);
  await writeFile(
    thread!,
    `import { parentPort } from 'node:worker_threads';
     import { closeSync, openSync } from 'node:fs';
     parentPort.on('message', ({ original }) => {
       const text = Buffer.from(original).toString('latin1');
       if (text.startsWith('${kinds.thread}')) process.exit(1);
       const isEndless = text.startsWith('${kinds.endless}');
       if (!isEndless && !text.startsWith('${kinds.stuck}')) return;
       closeSync(openSync(${JSON.stringify(here)}, 'r'));
       while (isEndless);
       openSync(${JSON.stringify(pipe)}, 'r');
     });
     await import(${JSON.stringify(readerCode.thread.href)});`,
  );
  await writeFile(
    entry!,
    `${buildCrashCode(kinds.process)}
     await import(${JSON.stringify(readerCode.entry.href)});`,
  );
  const code = {
    entry: pathToFileURL(entry!),
    thread: pathToFileURL(thread!),
    readable: [...readerCode.readable, dir],
  };
  const started: IsolatedProcess[] = [];
  const starter = photoReading.starter(code, { kind: 'node', path: process.execPath });
  const startReader: StartProcess = async (onMessage) => {
    const made = await starter(onMessage);
    started.push(made as IsolatedProcess);
    return made;
  };
  const photo = async (name: string, content: string | Buffer): Promise<string> => {
    await writeFile(join(dir, name), content);
    return join(dir, name);
  };
  const clock = createTestClock();
  const reader = createPhotoReader({ startReader, sleep: clock.sleep });
  onTestFinished(() => reader.close());
  // A blocked thread cannot report itself: a pipe can be opened for writing only after the thread has opened it.
  const waitUntilBegun = async (): Promise<void> => (await open(here!, 'w')).close();
  return {
    reader,
    startReader,
    started,
    clock,
    good: await photo('good.jpg', await drawnPhoto()),
    unreadable: await photo('unreadable.jpg', 'This is a text.'),
    bad: (kind: keyof typeof kinds) => photo(`${kind}.jpg`, kinds[kind]),
    waitUntilBegun,
    waitUntilBlocked: async (): Promise<void> => {
      await waitUntilBegun();
      const pid = started.at(-1)?.pid ?? 0;
      if (process.platform === 'linux') await waitUntil(() => waitsForPartner(pid), 'a thread at the second pipe');
    },
  };
};

/** Returns whether a thread of a process or of its descendants waits for the other end of a pipe (Linux only). */
const waitsForPartner = (pid: number): boolean =>
  [pid, ...listDescendants(pid)].some((one) => {
    try {
      const threads = readdirSync(`/proc/${one}/task`);
      return threads.some((id) => readFileSync(`/proc/${one}/task/${id}/wchan`, 'utf8') === 'wait_for_partner');
    } catch {
      return false;
    }
  });

const shown = expect.objectContaining({ width: 64, height: 48 }) as object;

test('a photo that crashes its reader thread does not end the reader process', async () => {
  const { reader, started, good, bad } = await startReaderWorld();
  const deadly = await bad('thread');
  const seen = await Promise.all([good, deadly, good].map((path) => reader.readFullSizeBarcodes(path)));
  expect(seen).toEqual([shown, undefined, shown]);
  expect(started).toHaveLength(1);
});

test('if a photo crashes the reader process, another process reads the other photos', async () => {
  const { reader, started, good, bad } = await startReaderWorld();
  const deadly = await bad('process');
  const seen = await Promise.all([deadly, good, good, good].map((path) => reader.readFullSizeBarcodes(path)));
  expect(seen).toEqual([undefined, shown, shown, shown]);
  expect(started.length).toBeGreaterThan(1);
});

test('an unreadable photo is not shrunk and does not end the reader process', async () => {
  const { reader, started, good, unreadable } = await startReaderWorld();
  expect(await reader.shrink(unreadable)).toBeUndefined();
  expect(await reader.shrink(good)).toBeInstanceOf(Uint8Array);
  expect(started).toHaveLength(1);
});

test('the writer reports a photo that crashes the reader process as unreadable', async () => {
  const { startReader, good, bad } = await startReaderWorld();
  const writer = createBuiltInWriter({ startReader });
  const item = { words: '', quantity: 1, marketplaceId: 'MKT_US', language: 'en-US' };
  const deadly = { path: await bad('process') };
  expect(await writer.write({ ...item, photos: [deadly] })).toMatchObject({ ok: false, code: 'IMAGES_UNREADABLE' });
  expect(await writer.write({ ...item, photos: [deadly, { path: good }] })).toMatchObject({ ok: true });
  await writer.close();
  await expect(writer.write({ ...item, photos: [{ path: good }] })).rejects.toThrow('closed');
});

const withPipes = test.skipIf(process.platform === 'win32');

withPipes('a photo whose process is killed is retried only once', async () => {
  const { reader, started, bad, waitUntilBlocked } = await startReaderWorld();
  const reading = reader.readFullSizeBarcodes(await bad('stuck'));
  await waitUntilBlocked();
  process.kill(started[0]!.pid!, 'SIGKILL');
  await waitUntil(() => started.length === 2, 'another process');
  await waitUntilBlocked();
  process.kill(started[1]!.pid!, 'SIGKILL');
  expect(await reading).toBeUndefined();
  expect(started).toHaveLength(2);
});

withPipes('a photo that blocks its thread is aborted at its time limit with its process', async () => {
  const { reader, started, clock, good, bad, waitUntilBlocked } = await startReaderWorld();
  const hanging = reader.readFullSizeBarcodes(await bad('stuck'));
  await waitUntilBlocked();
  expect(clock.next()).toBe(600_000);
  clock.advance(600_000);
  await waitUntil(() => clock.next() === 5_000, 'the request to end the thread');
  clock.advance(5_000);
  expect(await hanging).toBeUndefined();
  expect(await started[0]!.ended).toMatchObject({ cause: 'asked' });
  expect(await reader.readFullSizeBarcodes(good)).toEqual(shown);
  expect(started).toHaveLength(2);
});

withPipes('the next photo is read after an endless photo is aborted', async () => {
  const { reader, started, good, bad, waitUntilBegun } = await startReaderWorld();
  const abort = new AbortController();
  const hanging = reader.readFullSizeBarcodes(await bad('endless'), abort.signal);
  const stop = expect(hanging).rejects.toThrow('not wanted');
  await waitUntilBegun();
  abort.abort(new Error('not wanted'));
  await stop;
  expect(await reader.readFullSizeBarcodes(good)).toEqual(shown);
  expect(started).toHaveLength(1);
});

test('the reason for a failed start of the reader process is logged', async () => {
  const { good } = await startReaderWorld();
  const lines: string[] = [];
  const failing = createPhotoReader({
    startReader: () => Promise.reject(new Error('no program')),
    log: (_level, sentence, facts) => void lines.push(`${sentence} ${JSON.stringify(facts)}`),
  });
  expect(await failing.read(good)).toBeUndefined();
  const sentence = 'The process that reads photos for the practice service ended. {"cause":"start","how":"no program"}';
  expect(lines).toEqual([sentence, sentence]);
  await failing.close();
});

withPipes('the photo reader closes without waiting for a blocked thread', async () => {
  const { reader, bad, waitUntilBlocked } = await startReaderWorld();
  const reading = reader.readFullSizeBarcodes(await bad('stuck'));
  await waitUntilBlocked();
  await reader.close();
  expect(await reading).toBeUndefined();
});

test('the reader process ends after its idle time, and the next photo starts another process', async () => {
  const { reader, started, clock, good } = await startReaderWorld();
  expect(await reader.readFullSizeBarcodes(good)).toEqual(shown);
  await waitUntil(() => clock.next() === 15_000, 'the start of the idle time');
  clock.advance(15_000);
  expect(await started[0]!.ended).toMatchObject({ cause: 'asked' });
  expect(await reader.readFullSizeBarcodes(good)).toEqual(shown);
  expect(started).toHaveLength(2);
});
