// A companion in a separate process with a low limit of open files, for tests of running out of files. Waits for its
// parent before it starts.
import { startDataThread } from '../../../src/host/dataThread/startDataThread.ts';
import { closeSync, openSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { toProblemView } from '../../../src/core/base/problem.ts';
import { createCompanion } from '../../../src/core/companion/createCompanion.ts';
import { findPhotosInPaths } from '../../../src/core/photos/findPhotos.ts';
import { fastClock } from '../hosts/fastClock.ts';
import { createMemorySecrets } from '../hosts/createMemorySecrets.ts';
import { createPracticePerson } from '../createPracticePerson.ts';
import { startKitchen } from '../photos/startKitchen.ts';

const args = z
  .object({ dataDir: z.string(), practiceUrl: z.string(), folder: z.string() })
  .parse(JSON.parse(process.argv[2] ?? ''));

/** Opens files until only this many more can be opened; returns a function that closes them. */
const openAllBut = (left: number): (() => void) => {
  const opened: number[] = [];
  try {
    for (;;) opened.push(openSync('/dev/null', 'r'));
  } catch {
    for (const file of opened.splice(0, left)) closeSync(file);
  }
  return () => opened.forEach((file) => closeSync(file));
};

/** Returns the result of searching the folder while this many files can be opened. */
const lookWith = async (left: number): Promise<string> => {
  const close = openAllBut(left);
  const said = await findPhotosInPaths([args.folder]).then(
    ({ groups, skipped }) => `${groups.length} groups, ${skipped.length} left out`,
    (error: unknown) => toProblemView(error).code,
  );
  close();
  return said;
};
// The first search opens the files that the process keeps open.
await findPhotosInPaths([args.folder]);
const looks = [await lookWith(0), await lookWith(1)];

const companion = await createCompanion(
  {
    dataDir: join(args.dataDir, 'data'),
    version: '0.0.0',
    service: { kind: 'practice', url: args.practiceUrl },
    startPhotoProcess: startKitchen,
    startDataThread,
    practicePerson: () => createPracticePerson(args.practiceUrl, 'few@practice.example'),
  },
  { clock: fastClock, random: () => 0, secrets: createMemorySecrets(), notify: () => {}, log: () => {} },
);
await companion.start();
await companion.connect.practice();
const [itemId = ''] = (await companion.add({ kind: 'paths', paths: [args.folder] })).itemIds;
const item = () => companion.items.get(itemId);
while (item().step !== 'upload') await wait(5);

process.send?.('uploading');
await once(process, 'message');
const close = openAllBut(0);
process.send?.('full');
while (!item().words.includes('cannot open more files')) await wait(5);
const photos = item().photos.map(({ state }) => state);
close();
while (item().step !== 'review') await wait(5);
process.send?.({ looks, photos });
await companion.stop();
process.disconnect();
