import { expect, test } from 'vitest';
import * as z from 'zod';
import { pairAsker } from '../helpers/assistant.ts';
import { createRandom } from '../helpers/createRandom.ts';
import { sampledBy, sampleSeed, sampleSize } from '../helpers/sample.ts';
import { startWorld, type World } from '../helpers/world.ts';

/** The steps of a run at which the wall clock can be set; a run uses one to three. */
const moments = ['drop', 'written', 'asked', 'undo', 'budget', 'backoff'] as const;
type Moment = (typeof moments)[number];
/** The jump of the clock at each step, in ms; `isDown`: the companion is stopped during the jump at `written`. */
type Jumps = Partial<Record<Moment, number>> & { isDown?: boolean };

const dayMs = 24 * 3_600_000;
const maxJumpMs = 3 * 365 * dayMs;
const undoMs = 5_000;
/** The shortest time between two reads of one kind. */
const floorMs = 5_000;
/** How often a start repeats a read, because stored data can be outdated. */
const maxReadsOfStart = 2;
const runsOfWorld = 50;

const drawJumps = (random: () => number): Jumps => {
  const count = 1 + Math.floor(random() * 3);
  const drawn = Array.from({ length: count }, () => moments[Math.floor(random() * moments.length)] ?? 'drop');
  const jumps: Jumps = Object.fromEntries(drawn.map((moment) => [moment, Math.round((2 * random() - 1) * maxJumpMs)]));
  return jumps.written !== undefined && random() < 0.5 ? { ...jumps, isDown: true } : jumps;
};

const calls = z.record(z.string(), z.looseObject({ calls: z.int() }));
const writes = ['createListing', 'requestUploads', 'generateListing', 'publishListing', 'endListing'] as const;
const done = ['draft', 'generation', 'publish', 'end'] as const;
const reads = ['readStanding', 'readListing', 'listNotifications', 'listListings', 'readRoutes'] as const;

/** The number of calls per route, and the last entry of the service's journal. */
type Tally = { calls: Record<string, number>; seq: number };

/** Returns the counts since the last tally, and the new tally. */
const countSince = async (world: World, before: Tally) => {
  const counted = calls.parse(await world.practice.control('GET', '/calls'));
  const now = Object.fromEntries([...writes, ...reads].map((route) => [route, counted[route]?.calls ?? 0]));
  const happened = await world.practice.journal(before.seq);
  const counts = Object.fromEntries([
    ...Object.entries(now).map(([route, count]) => [route, count - (before.calls[route] ?? 0)] as const),
    ...done.map((kind) => [`${kind}s done`, happened.filter((row) => row.kind === kind).length] as const),
  ]);
  return { counts, tally: { calls: now, seq: happened.at(-1)?.seq ?? before.seq } };
};

/** What the runs in one world share: a listing whose publish exceeds the budget, and the last tally. */
type Shared = { world: World; refusedId: string; tally: Tally };

const startShared = async (): Promise<Shared> => {
  const world = await startWorld();
  const refusedId = await world.practice.written((await world.secrets.get('agent-key practice')) ?? '');
  return { world, refusedId, tally: (await countSince(world, { calls: {}, seq: 0 })).tally };
};

/** Performs one run: a drop with a fault, an assistant's publish up to its budget, and an end with its undo window. */
const performRun = async ({ world, refusedId, tally }: Shared, name: string, jumps: Jumps): Promise<void> => {
  const { clock, practice, companion } = world;
  const jumpClock = (moment: Moment): void => clock.jumpWall(jumps[moment] ?? 0);

  await practice.fault({ method: 'POST', path: '/listings', times: 2, status: 503 });
  const { itemIds } = await companion().add({ kind: 'paths', paths: [await world.folder(name, 1)] });
  jumpClock('drop');
  clock.advance(1_500);
  jumpClock('backoff');
  const isUp = (): boolean => ['line', 'writing', 'review'].includes(companion().items.get(itemIds[0] ?? '').step);
  await world.until(isUp, 'the photos of the item');
  if (jumps.isDown) await world.stop();
  jumpClock('written');
  if (jumps.isDown) await world.begin();
  const listingId = (await world.item(itemIds[0] ?? '', 'review')).listingId ?? '';

  const assistant = pairAsker(world, `Assistant of ${name}`);
  companion().assistants.change(assistant.assistantId, { publishesPerDay: 1 });
  const requestPublish = (id: string) =>
    companion().perform({ by: assistant, route: 'publishListing', input: { params: { listingId: id } } });
  await requestPublish(listingId);
  jumpClock('asked');
  expect(companion().approvals.listPending()).toHaveLength(1);
  await world.yes();
  jumpClock('budget');
  await expect(requestPublish(refusedId)).rejects.toMatchObject({ code: 'BUDGET_SPENT' });

  await world.perform('endListing', { params: { listingId } });
  const [waiting] = companion().approvals.listPending();
  const held = await world.pressYes(waiting?.approvalId ?? '', waiting?.digest ?? '');
  clock.advance(undoMs / 2);
  jumpClock('undo');
  clock.advance(undoMs / 2 - 1);
  expect(companion().approvals.readView(held.approvalId).state).toBe('approved');
  expect((await practice.journal(tally.seq)).filter(({ kind }) => kind === 'end')).toEqual([]);
  clock.advance(1);
  await world.until(() => companion().approvals.readView(held.approvalId).state === 'done', 'the end');
};

/** Returns the counts of one run, and its duration. */
const countRun = async (shared: Shared, name: string, jumps: Jumps) => {
  const fromMs = shared.world.clock.elapsedMs();
  await performRun(shared, name, jumps);
  const { counts, tally } = await countSince(shared.world, shared.tally);
  shared.tally = tally;
  return { counts, elapsedMs: shared.world.clock.elapsedMs() - fromMs };
};

const runs = sampleSize(500, 8);

test(
  `a changed wall clock changes no request to the service (${runs} runs, ${sampledBy})`,
  async () => {
    const random = createRandom(sampleSeed);
    for (let from = 0; from < runs; from += runsOfWorld) {
      const shared = await startShared();
      try {
        // The first run reads data that later runs have cached.
        await countRun(shared, 'first', {});
        const plain = await countRun(shared, 'plain', {});
        for (let at = from; at < Math.min(runs, from + runsOfWorld); at += 1) {
          const jumps = drawJumps(random);
          const { counts, elapsedMs } = await countRun(shared, `thing ${at}`, jumps);
          const told = `story ${at} of COMPANION_SEED=${sampleSeed}: ${JSON.stringify(jumps)}`;
          for (const what of Object.keys(counts))
            if (!reads.some((route) => route === what))
              expect([what, counts[what]], told).toEqual([what, plain.counts[what]]);
          for (const route of reads)
            expect(counts[route], `${route} in ${told}`).toBeLessThanOrEqual(
              (plain.counts[route] ?? 0) + Math.ceil(elapsedMs / floorMs) + (jumps.isDown ? maxReadsOfStart : 0),
            );
        }
      } finally {
        await shared.world.close();
      }
    }
  },
  60 * 60_000,
);
