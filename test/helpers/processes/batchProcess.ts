// A companion in a separate process that requests, approves and sends a batch, for tests that kill it at any failpoint.
// `look` only starts it and reports its state.
import { startDataThread } from '../../../src/host/dataThread/startDataThread.ts';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { fastClock } from '../hosts/fastClock.ts';
import { pressYesToRows } from '../pressYes.ts';
import { createFileSecrets } from '../hosts/createFileSecrets.ts';
import { startKitchen } from '../photos/startKitchen.ts';
import { createPracticePerson } from '../createPracticePerson.ts';
import { endAtMoment, endShape, reportFact } from './endAtMoment.ts';

const args = z
  .object({
    home: z.string(),
    practiceUrl: z.string(),
    email: z.string(),
    listingIds: z.array(z.string()),
    act: z.enum(['send', 'look']),
    end: endShape,
  })
  .parse(JSON.parse(process.argv[2] ?? ''));

endAtMoment(args.end);

// Import only now: the database reports failpoints only if a listener exists when it is opened.
const { createCompanion } = await import('../../../src/core/companion/createCompanion.ts');
// A killed process writes no compile cache; do it now, so that the next process starts faster.
flushCompileCache();

const companion = await createCompanion(
  {
    dataDir: join(args.home, 'data'),
    version: '0.0.0',
    service: { kind: 'practice', url: args.practiceUrl },
    startPhotoProcess: startKitchen,
    startDataThread,
    practicePerson: () => createPracticePerson(args.practiceUrl, args.email),
  },
  {
    ...{ clock: fastClock, random: () => 0, secrets: createFileSecrets(join(args.home, 'keychain.json')) },
    ...{ notify: () => {}, log: () => {} },
  },
);
await companion.start();
if (companion.state(null).connection !== 'connected') await companion.connect.practice();

const { assistants, batches, approvals } = companion;

if (args.act === 'send') {
  const { pairingId, pairingSecret } = assistants.requestPairing('Garage Lister');
  assistants.accept(pairingId);
  const by = assistants.authenticate(assistants.poll(pairingId, pairingSecret).token ?? '');
  if (!by) throw new Error('It was not paired.');
  const requests = args.listingIds.map((listingId) => ({
    route: 'publishListing' as const,
    input: { params: { listingId }, body: {} },
  }));
  const [asked] = await batches.requestBatches({ kind: by.kind, assistantId: by.assistantId, name: by.name }, requests);
  const chosen = (asked?.rows ?? []).flatMap(({ approval }) => (approval ? [approval] : []));
  await pressYesToRows({ companion, clock: fastClock }, asked?.batchId ?? '', chosen);
  while (batches.readBatch(asked?.batchId ?? '').state === 'sending') await wait(5);
}
while (approvals.listUnsettled().length > 0) await wait(5);
const [batch] = batches.listOpen();
reportFact({
  rows: batch?.rows.map(({ approval }) => approval?.state) ?? null,
  interrupted: batch?.interrupted ?? 0,
  pending: assistants
    .list()
    .assistants.flatMap(({ assistantId }) => approvals.listOfAsker(assistantId))
    .filter(({ state }) => state === 'pending').length,
});
await companion.stop();
