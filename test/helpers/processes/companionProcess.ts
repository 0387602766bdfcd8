// A companion in a separate process, for tests that kill it. Reads orders as JSON lines and reports its item's state.
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { startBridge } from '../../../src/bridge/startBridge.ts';
import { createCompanion } from '../../../src/core/companion/createCompanion.ts';
import { startDataThread } from '../../../src/host/dataThread/startDataThread.ts';
import { fastClock } from '../hosts/fastClock.ts';
import { pressYes } from '../pressYes.ts';
import { createMemorySecrets } from '../hosts/createMemorySecrets.ts';
import { createPracticePerson } from '../createPracticePerson.ts';
import { listAllItems } from '../listAllItems.ts';
import { startKitchen } from '../photos/startKitchen.ts';

// A killed process writes no compile cache; do it now, so that the next process starts faster.
flushCompileCache();

const args = z.object({ dataDir: z.string(), practiceUrl: z.string() }).parse(JSON.parse(process.argv[2] ?? ''));
const email = 'killed@practice.example';

const reportFact = (fact: unknown): void => void process.stdout.write(`${JSON.stringify(fact)}\n`);

const companion = await createCompanion(
  {
    dataDir: args.dataDir,
    version: '0.0.0',
    service: { kind: 'practice', url: args.practiceUrl },
    startPhotoProcess: startKitchen,
    startDataThread,
    practicePerson: () => createPracticePerson(args.practiceUrl, email),
  },
  { clock: fastClock, random: () => 0, secrets: createMemorySecrets(), notify: () => {}, log: () => {} },
);

const tell = (): void => {
  if (companion.state(null).connection === 'none') return;
  for (const item of listAllItems(companion))
    reportFact({
      itemId: item.itemId,
      step: item.step,
      stop: item.stop,
      listingId: item.listingId,
      photos: item.photos.length,
    });
  for (const approval of [
    ...companion.approvals.listUnsettled(),
    ...companion.approvals.listPending(),
    ...companion.approvals.history(),
  ]) {
    reportFact({ approval: approval.state, approvalId: approval.approvalId, digest: approval.digest });
  }
};
companion.onChanged(() => setImmediate(tell));

await companion.start();
if (companion.state(null).connection === 'none') await companion.connect.practice();
reportFact({ ready: true });
tell();

const order = z.discriminatedUnion('do', [
  z.object({ do: z.literal('add'), path: z.string() }),
  z.object({ do: z.literal('publish'), listingId: z.string() }),
  z.object({ do: z.literal('approve'), approvalId: z.string(), digest: z.string() }),
  z.object({ do: z.literal('serve') }),
  z.object({ do: z.literal('let in'), name: z.string(), folders: z.array(z.string()) }),
]);

/** Pairs an assistant with these folders and returns its token. */
const pairAssistant = (name: string, folders: string[]): string => {
  const { assistants } = companion;
  const { pairingId, pairingSecret } = assistants.requestPairing(name);
  assistants.accept(pairingId);
  const { token = '' } = assistants.poll(pairingId, pairingSecret);
  assistants.change(assistants.authenticate(token)?.assistantId ?? '', { folders });
  return token;
};

for await (const line of createInterface({ input: process.stdin })) {
  const given = order.parse(JSON.parse(line));
  if (given.do === 'add') await companion.add({ kind: 'paths', paths: [given.path] });
  if (given.do === 'publish') {
    await companion.perform({
      by: { kind: 'person' },
      route: 'publishListing',
      input: { params: { listingId: given.listingId } },
    });
  }
  if (given.do === 'serve')
    reportFact({ url: (await startBridge({ companion, dataDir: args.dataDir, port: 0, version: '0.0.0' })).url });
  if (given.do === 'let in') reportFact({ token: pairAssistant(given.name, given.folders) });
  if (given.do === 'approve') await pressYes({ companion, clock: fastClock }, given.approvalId, given.digest);
  tell();
}
