import { expect, test } from 'vitest';
import * as z from 'zod';
import { pairedAsker } from '../helpers/assistant.ts';
import { randomFrom } from '../helpers/randomFrom.ts';
import { sampledBy, sampleSeed, sampleSize } from '../helpers/sample.ts';
import { startWorld, type World } from '../helpers/world.ts';

/** Where the wall clock may be set in a run; a run sets it at one to three of them. */
const moments = ['drop', 'written', 'asked', 'undo', 'budget', 'backoff'] as const;
type Moment = (typeof moments)[number];
/** By how much it is set at which moment, in ms; `isDown`: the companion is down while it is set during the writing. */
type Jumps = Partial<Record<Moment, number>> & { isDown?: boolean };

const dayMs = 24 * 3_600_000;
const maxJumpMs = 3 * 365 * dayMs;
const undoMs = 5_000;
/** The shortest time between two reads of one kind. */
const floorMs = 5_000;
/** A start reads what it cannot know to be as it was. */
const maxReadsOfStart = 2;
const runsOfWorld = 25;

const drawJumps = (random: () => number): Jumps => {
  const count = 1 + Math.floor(random() * 3);
  const drawn = Array.from({ length: count }, () => moments[Math.floor(random() * moments.length)] ?? 'drop');
  const jumps: Jumps = Object.fromEntries(drawn.map((moment) => [moment, Math.round((2 * random() - 1) * maxJumpMs)]));
  return jumps.written !== undefined && random() < 0.5 ? { ...jumps, isDown: true } : jumps;
};

const calls = z.record(z.string(), z.looseObject({ calls: z.int() }));
const writes = ['createListing', 'requestUploads', 'generateListing', 'publishListing', 'endListing'] as const;
const reads = ['readStanding', 'readListing', 'listNotifications', 'listListings', 'readRoutes'] as const;

/** How often each of these routes reached the service, and what happened there. */
const countAll = async (world: World): Promise<Record<string, number>> => {
  const counted = calls.parse(await world.practice.control('GET', '/calls'));
  const routes = [...writes, ...reads].map((route) => [route, counted[route]?.calls ?? 0] as const);
  const done = await Promise.all(
    ['draft', 'generation', 'publish', 'end'].map(
      async (kind) => [`${kind}s done`, await world.happened(kind)] as const,
    ),
  );
  return Object.fromEntries([...routes, ...done]);
};

/** One story: a drop through a fault, a publish of an assistant up to its budget, and an end that waits in its undo window. */
const tellStory = async (world: World, name: string, jumps: Jumps): Promise<void> => {
  const { clock, practice, companion } = world;
  const jump = (moment: Moment): void => clock.jumpWall(jumps[moment] ?? 0);
  const key = (await world.secrets.get('agent-key practice')) ?? '';

  await practice.fault({ method: 'POST', path: '/listings', times: 2, status: 503 });
  const { itemIds } = await companion().add({ kind: 'paths', paths: [await world.folder(name, 1)] });
  jump('drop');
  clock.advance(1_500);
  jump('backoff');
  const isUp = (): boolean => ['line', 'writing', 'review'].includes(companion().items.get(itemIds[0] ?? '').step);
  await world.until(isUp, 'the photos of the item');
  if (jumps.isDown) await world.stop();
  jump('written');
  if (jumps.isDown) await world.begin();
  await world.item(itemIds[0] ?? '', 'review');

  const assistant = pairedAsker(world, `Assistant of ${name}`);
  companion().assistants.change(assistant.assistantId, { publishesPerDay: 1 });
  const publish = async () => {
    const listingId = await practice.written(key);
    await companion().perform({ by: assistant, route: 'publishListing', input: { params: { listingId } } });
    return listingId;
  };
  const listingId = await publish();
  jump('asked');
  expect(companion().approvals.waiting()).toHaveLength(1);
  await world.yes();
  jump('budget');
  await expect(publish()).rejects.toMatchObject({ code: 'BUDGET_SPENT' });

  const endsBefore = await world.happened('end');
  await world.perform('endListing', { params: { listingId } });
  const [waiting] = companion().approvals.waiting();
  const held = await companion().approvals.approve(waiting?.approvalId ?? '', waiting?.digest ?? '');
  clock.advance(undoMs / 2);
  jump('undo');
  clock.advance(undoMs / 2 - 1);
  expect(companion().approvals.view(held.approvalId).state).toBe('approved');
  expect(await world.happened('end')).toBe(endsBefore);
  clock.advance(1);
  await world.until(() => companion().approvals.view(held.approvalId).state === 'done', 'the end');
};

/** What a story had the service do, and how long it took. */
const countStory = async (world: World, name: string, jumps: Jumps) => {
  const [before, fromMs] = [await countAll(world), world.clock.elapsedMs()];
  await tellStory(world, name, jumps);
  const after = await countAll(world);
  const counts = Object.fromEntries(Object.entries(after).map(([what, count]) => [what, count - (before[what] ?? 0)]));
  return { counts, elapsedMs: world.clock.elapsedMs() - fromMs };
};

const runs = sampleSize(500, 8);

test(
  `a wall clock that is set changes nothing that is sent: ${runs} stories, ${sampledBy}`,
  async () => {
    const random = randomFrom(sampleSeed);
    for (let done = 0; done < runs; done += runsOfWorld) {
      const world = await startWorld();
      try {
        // The first one reads what every later one knows already.
        await countStory(world, 'first', {});
        const plain = await countStory(world, 'plain', {});
        for (let at = done; at < Math.min(runs, done + runsOfWorld); at += 1) {
          const jumps = drawJumps(random);
          const { counts, elapsedMs } = await countStory(world, `thing ${at}`, jumps);
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
        await world.close();
      }
    }
  },
  60 * 60_000,
);
