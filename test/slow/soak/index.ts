// `npm run soak [-- 30]`: so many minutes of everything at once – items from photos to live and ended, an assistant that
// reads all the time – and whether memory stays flat. Prints a line a minute; ends with 1 when it grew. SOAK_MALICE=0.1
// has a service made of malice answer that share of the requests: then items come to nothing, and memory is all that counts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startBridge } from '../../../src/bridge/startBridge.ts';
import { createCompanion } from '../../../src/core/companion/createCompanion.ts';
import { drawnFolder } from '../../helpers/photos/drawnFolder.ts';
import { callBridge } from '../../helpers/assistant.ts';
import { fastClock } from '../../helpers/hosts/fastClock.ts';
import { memorySecrets } from '../../helpers/hosts/memorySecrets.ts';
import { startTestPractice } from '../../helpers/practice.ts';
import { randomFrom } from '../../helpers/randomFrom.ts';
import { startMaliciousService } from '../malice/service.ts';
import { diceFrom } from '../malice/spoil.ts';
import { startKitchen } from '../../helpers/photos/startKitchen.ts';

const minutes = Number(process.argv[2] ?? 30);
const malice = Number(process.env['SOAK_MALICE'] ?? 0);
const person = { kind: 'person' } as const;

const home = await mkdtemp(join(tmpdir(), 'soak-'));
const practice = await startTestPractice();
const malicious =
  malice > 0 ? await startMaliciousService(practice.url, diceFrom(randomFrom(minutes)), () => malice) : null;
const { userId, agentKey } = await practice.person({
  plan: 'Scale',
  credits: 100_000,
  connected: true,
  site: 'MKT_US',
});
const companion = await createCompanion(
  {
    dataDir: join(home, 'data'),
    version: '0.0.0',
    service: { kind: 'practice', url: malicious?.url ?? practice.url },
    startKitchen,
    practicePerson: async () => ({ userId, agentKey, email: 'soak@practice.example' }),
  },
  {
    // Every minute holds what is usually done in an hour.
    clock: fastClock,
    random: Math.random,
    secrets: memorySecrets(),
    notify: () => undefined,
    log: () => undefined,
  },
);
await companion.start();
await companion.connect.practice();
const bridge = await startBridge({ companion, dataDir: join(home, 'data'), port: 0, version: '0.0.0' });

const { pairingId, pairingSecret } = companion.assistants.ask('Tidy Helper');
companion.assistants.accept(pairingId);
const headers = { authorization: `Bearer ${companion.assistants.poll(pairingId, pairingSecret).token ?? ''}` };

const ends = Date.now() + minutes * 60_000;
const goesOn = (): boolean => Date.now() < ends;
const done = { items: 0, reads: 0, refused: 0 };

/** The person says yes to what waits for this listing. */
const sayYes = async (listingId: string): Promise<void> => {
  const waiting = companion.approvals.waiting().find(({ prompt }) => prompt.target?.listingId === listingId);
  if (waiting) await companion.approvals.approve(waiting.approvalId, waiting.digest);
};

/** Malice may keep anything from ever coming about. */
const patienceMs = malice > 0 ? 20_000 : Infinity;
const until = async (look: () => boolean): Promise<boolean> => {
  const from = Date.now();
  while (!look() && goesOn() && Date.now() - from < patienceMs) await wait(20);
  return look();
};

/** Photos, review, live, ended. */
const sellOne = async (itemId: string): Promise<void> => {
  const step = () => companion.items.get(itemId).step;
  await until(() => step() === 'review');
  const listingId = companion.items.get(itemId).listingId ?? '';
  for (const [route, after] of [
    ['publishListing', 'live'],
    ['endListing', 'ended'],
  ] as const) {
    if (!goesOn()) return;
    await companion.perform({ by: person, route, input: { params: { listingId } } });
    await sayYes(listingId);
    if (!(await until(() => step() === after))) return;
  }
  done.items += 1;
};

/** One item after the other, each forgotten at its end. */
const sell = async (seller: number): Promise<void> => {
  for (let turn = 0; goesOn(); turn += 1) {
    const folder = await drawnFolder(join(home, `photos ${seller}`), `thing ${turn}`, 1);
    const { itemIds } = await companion.add({ kind: 'paths', paths: [folder] });
    const itemId = itemIds[0] ?? '';
    await sellOne(itemId).catch((error: unknown) => {
      if (malice === 0) throw error;
    });
    if (malice === 0 && !goesOn()) return;
    await companion.items.remove(itemId);
    await rm(folder, { recursive: true });
    if (companion.state(null).connection !== 'connected') await companion.connect.practice();
  }
};

/** An assistant that never stops asking. */
const read = async (): Promise<void> => {
  while (goesOn()) {
    for (const path of ['/listings', '/agent/me', '/companion/items', '/companion/openapi.json', '/nowhere']) {
      const { status } = await callBridge(bridge.url, 'GET', path, { headers });
      if (status === 200) done.reads += 1;
      else done.refused += 1;
    }
    await wait(5);
  }
};

const megabytes = (bytes: number): number => Math.round(bytes / 1e6);
const memory: number[] = [];
const watch = async (): Promise<void> => {
  for (let minute = 1; goesOn(); minute += 1) {
    await wait(Math.min(60_000, Math.max(0, ends - Date.now())));
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    memory.push(heapUsed);
    const counts = `${done.items} items, ${done.reads} reads, ${done.refused} refused`;
    console.log(`minute ${minute}: ${megabytes(heapUsed)} MB of heap, ${megabytes(rss)} MB in all; ${counts}`);
  }
};

/** The marketplace's day would be over too soon for somebody who sells as fast as this. */
const newDays = async (): Promise<void> => {
  while (goesOn()) {
    for (const quota of ['fee_verify', 'trading'])
      await practice.control('POST', '/budgets', { userId, quota, used: 0 });
    await wait(2_000);
  }
};

await Promise.all([sell(1), sell(2), sell(3), read(), watch(), newDays()]);
const happened = (await practice.journal()).map(({ kind }) => kind);
const count = (kind: string): number => happened.filter((one) => one === kind).length;
await bridge.stop();
await companion.stop();
malicious?.close();
await practice.close();
await rm(home, { recursive: true, force: true });

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const third = Math.max(1, Math.floor(memory.length / 3));
const growth = mean(memory.slice(-third)) / mean(memory.slice(0, third));
console.log(`Heap of the last third over the first: ${growth.toFixed(2)}.`);
console.log(
  `${count('draft')} drafts, ${count('generation')} writings, ${count('publish')} publishes, ${count('end')} ends.`,
);
// Each seller may have been interrupted once on the way.
const isEven = malice > 0 || (count('draft') - count('generation') <= 3 && count('publish') <= count('generation'));
process.exitCode = growth > 1.2 || !isEven ? 1 : 0;
