// `npm run soak [-- 60]` runs everything at once for that many minutes: items go from photos to live, and once 1,000 are
// kept, each new one replaces the oldest; an assistant reads all the time. Prints a line a minute, and ends with 1 if the
// memory per item grew by over a tenth since minute 10 or if handles stay open. It is started like the browser's host, with
// one glibc heap and a small V8 heap. SOAK_MALICE=0.1 has a malicious service answer that share of the requests: then
// items fail, and only the growth is checked.
import { startDataThread } from '../../../src/host/dataThread/startDataThread.ts';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { startBridge } from '../../../src/bridge/startBridge.ts';
import { createCompanion } from '../../../src/core/companion/createCompanion.ts';
import { keepHeapSmall } from '../../../src/host/heapMemory.ts';
import { createDrawnFolder } from '../../helpers/photos/createDrawnFolder.ts';
import { callBridge } from '../../helpers/assistant.ts';
import { fastClock } from '../../helpers/hosts/fastClock.ts';
import { createMemorySecrets } from '../../helpers/hosts/createMemorySecrets.ts';
import { pressYes } from '../../helpers/pressYes.ts';
import { createPracticeClient } from '../../helpers/practice.ts';
import { createRandom } from '../../helpers/createRandom.ts';
import { startMaliciousService } from '../malice/service.ts';
import { diceFrom } from '../malice/spoil.ts';
import { startKitchen } from '../../helpers/photos/startKitchen.ts';
import { findGrowth, takeSample, type Sample } from './measure.ts';

const minutes = Number(process.argv[2] ?? 60);
const malice = Number(process.env['SOAK_MALICE'] ?? 0);
const person = { kind: 'person' } as const;
const maxKeptItems = 1_000;

const home = await mkdtemp(join(tmpdir(), 'soak-'));
const practiceProcess = fork(join(import.meta.dirname, '../../helpers/processes/practiceProcess.ts'));
const [practiceUrl] = z.tuple([z.url()]).parse((await once(practiceProcess, 'message')).slice(0, 1));
const practice = createPracticeClient(practiceUrl);
const malicious =
  malice > 0 ? await startMaliciousService(practiceUrl, diceFrom(createRandom(minutes)), () => malice) : null;
const { userId, agentKey } = await practice.person({
  plan: 'Scale',
  credits: 1_000_000,
  connected: true,
  site: 'MKT_US',
});
const companion = await createCompanion(
  {
    dataDir: join(home, 'data'),
    version: '0.0.0',
    service: { kind: 'practice', url: malicious?.url ?? practiceUrl },
    startPhotoProcess: startKitchen,
    startDataThread,
    practicePerson: async () => ({ userId, agentKey, email: 'soak@practice.example' }),
  },
  {
    // Each minute contains the work of a usual hour.
    clock: fastClock,
    random: Math.random,
    secrets: createMemorySecrets(),
    notify: () => undefined,
    log: () => undefined,
  },
);
await companion.start().then(keepHeapSmall);
await companion.connect.practice();
const bridge = await startBridge({ companion, dataDir: join(home, 'data'), port: 0, version: '0.0.0' });

const { pairingId, pairingSecret } = companion.assistants.requestPairing('Tidy Helper');
companion.assistants.accept(pairingId);
const headers = { authorization: `Bearer ${companion.assistants.poll(pairingId, pairingSecret).token ?? ''}` };

const ends = Date.now() + minutes * 60_000;
const isRunning = (): boolean => Date.now() < ends;
const done = { items: 0, reads: 0, refused: 0 };

/** Approves the pending prompt of this listing. */
const sayYes = async (listingId: string): Promise<void> => {
  const waiting = companion.approvals.listPending().find(({ prompt }) => prompt.target?.listingId === listingId);
  if (waiting) await pressYes({ companion, clock: fastClock }, waiting.approvalId, waiting.digest);
};

/** A malicious service can prevent any result. */
const maxWaitMs = malice > 0 ? 20_000 : Infinity;
const waitUntil = async (look: () => boolean): Promise<boolean> => {
  const from = Date.now();
  while (!look() && isRunning() && Date.now() - from < maxWaitMs) await wait(20);
  return look();
};

type KeptItem = { itemId: string; listingId: string; folder: string };
const kept: KeptItem[] = [];

const sendApproved = async (route: 'publishListing' | 'endListing', listingId: string): Promise<void> => {
  await companion.perform({ by: person, route, input: { params: { listingId } } });
  await sayYes(listingId);
};

/** Brings an item from its photos to a live listing; null if it does not get there. */
const publishOne = async (itemId: string): Promise<string | null> => {
  const isAt = (step: string) => waitUntil(() => companion.items.get(itemId).step === step);
  if (!(await isAt('review'))) return null;
  const { listingId } = companion.items.get(itemId);
  if (listingId === null) return null;
  await sendApproved('publishListing', listingId);
  return (await isAt('live')) ? listingId : null;
};

/** Ends a live listing and removes its item. */
const removeOne = async ({ itemId, listingId, folder }: KeptItem): Promise<void> => {
  await sendApproved('endListing', listingId);
  await waitUntil(() => companion.items.get(itemId).step === 'ended');
  await companion.items.remove(itemId);
  await rm(folder, { recursive: true });
};

const addOne = async (folder: string): Promise<void> => {
  const [itemId = ''] = (await companion.add({ kind: 'paths', paths: [folder] })).itemIds;
  const listingId = await publishOne(itemId);
  if (listingId !== null) kept.push({ itemId, listingId, folder });
  else if (isRunning()) await companion.items.remove(itemId);
};

/** All workers pause while a sample is taken, so that no request in flight is counted. */
const rest = { isWanted: false, resting: 0 };
const workers = 4;
const restIfWanted = async (): Promise<void> => {
  rest.resting += 1;
  while (rest.isWanted && isRunning()) await wait(20);
  rest.resting -= 1;
};

/** Sells one item after the other, and removes the oldest item once the maximum is reached. */
const sellItems = async (seller: number): Promise<void> => {
  for (let turn = 0; isRunning(); turn += 1) {
    await restIfWanted();
    try {
      await addOne(await createDrawnFolder(join(home, `photos ${seller}`), `thing ${turn}`, 1));
      const oldest = kept.length > maxKeptItems ? kept.shift() : undefined;
      if (oldest) await removeOne(oldest);
      done.items += 1;
    } catch (error) {
      if (malice === 0 && isRunning()) throw error;
    }
    if (companion.state(null).connection !== 'connected') await companion.connect.practice();
  }
};

/** Reads all the time, as an assistant. */
const readAsAssistant = async (): Promise<void> => {
  while (isRunning()) {
    await restIfWanted();
    for (const path of ['/listings', '/agent/me', '/companion/items', '/companion/openapi.json', '/nowhere']) {
      const { status } = await callBridge(bridge.url, 'GET', path, { headers });
      if (status === 200) done.reads += 1;
      else done.refused += 1;
    }
    await wait(5);
  }
};

const toMegabytes = (bytes: number): number => Math.round(bytes / 1e6);
const samples: Sample[] = [];
/** Idle connections are closed after some seconds. */
const idleMs = 6_000;
const takeSamples = async (): Promise<void> => {
  for (let minute = 1; isRunning(); minute += 1) {
    await wait(Math.min(60_000 - idleMs, Math.max(0, ends - Date.now())));
    rest.isWanted = true;
    await waitUntil(() => rest.resting === workers);
    await wait(idleMs);
    const sample = takeSample(minute, malice > 0 ? 1 : kept.length, practiceProcess.pid ?? 0);
    samples.push(sample);
    rest.isWanted = false;
    const { heapBytes, externalBytes, rssBytes, anonBytes, childrenBytes, files, sockets } = sample;
    const own = `heap ${toMegabytes(heapBytes)} MB, buffers ${toMegabytes(externalBytes)} MB`;
    const memory = `${own}, process ${toMegabytes(rssBytes)} MB (${toMegabytes(anonBytes)} MB anonymous), photo processes ${toMegabytes(childrenBytes)} MB`;
    const counts = `${kept.length} items kept, ${done.items} sold, ${done.reads} reads, ${done.refused} refused`;
    console.log(`minute ${minute}: ${memory}, ${files} files, ${sockets} sockets; ${counts}`);
  }
};

/** Resets the marketplace's daily budgets, which this run would use up. */
const resetBudgets = async (): Promise<void> => {
  while (isRunning()) {
    for (const quota of ['fee_verify', 'trading'])
      await practice.control('POST', '/budgets', { userId, quota, used: 0 });
    await wait(2_000);
  }
};

await Promise.all([sellItems(1), sellItems(2), sellItems(3), readAsAssistant(), takeSamples(), resetBudgets()]);
await bridge.stop();
await companion.stop();
malicious?.close();
practiceProcess.disconnect();
await rm(home, { recursive: true, force: true });

const figures = findGrowth(samples);
if (figures === null) console.log('The run is too short to measure growth: 15 minutes are needed.');
for (const { name, growth, max } of figures ?? [])
  console.log(`${name}: ${growth.toFixed(3)} of minute 10, at most ${max} is allowed`);
process.exitCode = figures?.every(({ growth, max }) => growth <= max) ? 0 : 1;
