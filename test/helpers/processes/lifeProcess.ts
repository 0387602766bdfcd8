// A companion and its person in a separate process, for tests that kill it at any failpoint. Each start continues one
// story: photos are dropped, and the listing is reviewed, published, repriced and ended, each with an approval.
import { startDataThread } from '../../../src/host/dataThread/startDataThread.ts';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import type { RouteName } from '../../../src/contract/index.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { fastClock } from '../hosts/fastClock.ts';
import { pressYes } from '../pressYes.ts';
import { createFileSecrets } from '../hosts/createFileSecrets.ts';
import { createPracticePerson } from '../createPracticePerson.ts';
import { listAllItems } from '../listAllItems.ts';
import { startKitchen } from '../photos/startKitchen.ts';
import { endAtMoment, endShape, reportFact } from './endAtMoment.ts';

const args = z
  .object({ dataDir: z.string(), practiceUrl: z.string(), folder: z.string(), email: z.string(), end: endShape })
  .parse(JSON.parse(process.argv[2] ?? ''));

endAtMoment(args.end);

// Import only now: opening the database checks whether a listener exists.
const { createCompanion } = await import('../../../src/core/companion/createCompanion.ts');
// A killed process writes no compile cache; do it now, so that the next process starts faster.
flushCompileCache();

const secrets = createFileSecrets(join(args.folder, '..', 'keychain.json'));

const companion = await createCompanion(
  {
    dataDir: args.dataDir,
    version: '0.0.0',
    service: { kind: 'practice', url: args.practiceUrl },
    startPhotoProcess: startKitchen,
    startDataThread,
    practicePerson: () => createPracticePerson(args.practiceUrl, args.email),
  },
  { clock: fastClock, random: () => 0, secrets, notify: () => {}, log: () => {} },
);

await companion.start();
if (companion.state(null).connection !== 'connected') await companion.connect.practice();

const person = { kind: 'person' } as const;

const first = async (): Promise<{ itemId: string; listingId: string | null; step: string }> => {
  const find = () => listAllItems(companion)[0];
  if (!find()) await companion.add({ kind: 'paths', paths: [args.folder] });
  for (;;) {
    const item = find();
    if (item?.stop) throw new Error(`The item stopped: ${JSON.stringify(item.stop)}`);
    if (item && ['review', 'live', 'ended'].includes(item.step)) return item;
    await wait(5);
  }
};

const newest = (route: RouteName): ApprovalView | undefined =>
  [
    ...companion.approvals.history().toReversed(),
    ...companion.approvals.listUnsettled(),
    ...companion.approvals.listPending(),
  ].findLast((one) => one.route === route);

/** A listing stays locked until the result of the request in flight at the kill is known. */
const waitWhileDecided = async (error: unknown): Promise<void> => {
  if (!(error instanceof Error && 'code' in error && error.code === 'BEING_DECIDED')) throw error;
  await wait(50);
};

/** Requests a change of the listing once and approves it; after a kill the existing approval is used. */
const have = async (route: RouteName, input: { params: Record<string, string>; body?: unknown }): Promise<void> => {
  for (let asked = 0; asked < 5;) {
    const now = newest(route);
    if (now?.state === 'done') return;
    if (now?.state === 'pending')
      await pressYes({ companion, clock: fastClock }, now.approvalId, now.digest).catch(waitWhileDecided);
    else if (!now || now.state === 'failed' || now.state === 'superseded') {
      asked += 1;
      await companion.perform({ by: person, route, input });
    } else await wait(5);
  }
  throw new Error(`${route} did not come about: ${JSON.stringify(newest(route)?.state)}`);
};

const { listingId, step } = await first();
const params = { listingId: listingId ?? '' };
// Right after a start the listing may be live while its publish is still being checked.
if (step === 'review' && newest('publishListing') === undefined)
  await companion.perform({
    by: person,
    route: 'updateListing',
    input: { params, body: { title: 'A book that lived' } },
  });
await have('publishListing', { params });
await have('reviseListing', { params, body: { price: 1_111 } });
await have('endListing', { params });
while ((await first()).step !== 'ended') await wait(5);
reportFact({ items: listAllItems(companion).map(({ photos }) => photos.length) });
await companion.stop();
