// A companion in a separate process that restores a backup at its start, for tests that kill it at any failpoint.
// `fill` creates a backup, much newer data, and a database whose newest rows are only in its log.
import { startDataThread } from '../../../src/host/dataThread/startDataThread.ts';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { listAllItems } from '../listAllItems.ts';
import { fastClock } from '../hosts/fastClock.ts';
import { systemClock } from '../../../src/core/base/clock.ts';
import { createFileSecrets } from '../hosts/createFileSecrets.ts';
import { createPracticePerson } from '../createPracticePerson.ts';
import { startKitchen } from '../photos/startKitchen.ts';
import { endAtMoment, endShape, reportFact } from './endAtMoment.ts';

const args = z
  .object({
    home: z.string(),
    practiceUrl: z.string(),
    folders: z.array(z.string()),
    act: z.enum(['fill', 'start']),
    /** The backup named on the command line. */
    restore: z.string().nullable(),
    end: endShape,
  })
  .parse(JSON.parse(process.argv[2] ?? ''));
const dataDir = join(args.home, 'data');
// With the fast clock, a daily backup could begin before or after the one that `fill` creates.
const clock = args.act === 'fill' ? systemClock : fastClock;

endAtMoment(args.end);

// Import only now: opening the database checks whether a listener exists.
const { restoreRequestedBackup } = await import('../../../src/core/storage/restore.ts');
const { createCompanion } = await import('../../../src/core/companion/createCompanion.ts');
// A killed process writes no compile cache; do it now, so that the next process starts faster.
flushCompileCache();

restoreRequestedBackup(dataDir, args.restore, clock.now());
const companion = await createCompanion(
  {
    dataDir,
    version: '0.0.0',
    service: { kind: 'practice', url: args.practiceUrl },
    startPhotoProcess: startKitchen,
    startDataThread,
    practicePerson: () => createPracticePerson(args.practiceUrl, 'restored@practice.example'),
  },
  {
    ...{ clock, random: () => 0, secrets: createFileSecrets(join(args.home, 'keychain.json')) },
    ...{ notify: () => {}, log: () => {} },
  },
);

const pairAssistant = (name: string): string => {
  const { assistants } = companion;
  const { pairingId, pairingSecret } = assistants.requestPairing(name);
  assistants.accept(pairingId);
  return assistants.authenticate(assistants.poll(pairingId, pairingSecret).token ?? '')?.assistantId ?? '';
};

const dropPhotos = async (folder: string): Promise<void> => {
  await companion.add({ kind: 'paths', paths: [folder] });
  while (listAllItems(companion).some(({ step }) => step === 'photos')) await wait(5);
};

const fillData = async (): Promise<void> => {
  const [before = '', after = ''] = args.folders;
  await companion.start();
  await companion.connect.practice();
  companion.changeSettings({ deferDrops: true, approvalMinutes: 11 });
  const gone = pairAssistant('Gone Helper');
  pairAssistant('Tidy Helper');
  await dropPhotos(before);
  await companion.backups.make();
  companion.assistants.revoke(gone);
  await dropPhotos(after);
  companion.changeSettings({ approvalMinutes: 22 });
  process.kill(process.pid, 'SIGKILL');
};

/** Returns the state that a person finds after the start. */
const readFound = async () => {
  const items = listAllItems(companion).map(({ itemId }) => companion.items.get(itemId));
  const photos = items.flatMap((item) => item.photos);
  const files = await Promise.all(photos.map(({ photoId }) => companion.photo({ photoId, size: 'full' })));
  return {
    items: items.map(({ name }) => name).sort(),
    photos: photos.length,
    files: files.filter((file) => file !== null).length,
    approvalMinutes: companion.state(null).settings.approvalMinutes,
    assistants: companion.assistants.list().assistants.map(({ name, restored }) => ({ name, restored })),
    repaired: companion.state(null).repaired !== null,
    alarm: companion.state(null).ledgerAlarm?.kind ?? null,
  };
};

if (args.act === 'fill') await fillData();
reportFact(await readFound());
await companion.stop();
