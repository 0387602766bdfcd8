import { startDataThread } from '../src/host/dataThread/startDataThread.ts';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { createCompanion, type Companion } from '../src/core/companion/createCompanion.ts';
import { systemClock } from '../src/core/base/clock.ts';
import { readCpuSeconds, listDescendants } from '../test/helpers/hosts/listDescendants.ts';
import { createMemorySecrets } from '../test/helpers/hosts/createMemorySecrets.ts';
import { startTestPractice } from '../test/helpers/practice.ts';
import { against, type Compared } from './compare.ts';
import { inWorkshop, prepareAll } from './photos/workshop.ts';
import { startKitchen } from '../test/helpers/photos/startKitchen.ts';

// Gains of single changes, for 100 folders on two cores. Records are in docs/decisions.md.
// - Explicit release of photo memory, with all changes of record 31: 5.8 → 3.9 s.
// - Steps that do not wait for the disk: 1,335 → 1,078 waits. With all changes of record 33: 3.9 → 3.6 s.
// - Only requests wait for the disk, not writes: 1,000 waits of the main thread → 360 syncs in the background; reads of the
//   allowance 287 → 132. No time is saved on a fast disk.
// - No waiting photo thread, and one read of the allowance for many generations: 1.40 → 1.12 to 1.24 times the longest part,
//   1.14 → 1.06 times all processors; reads 132 → 2.
// - Only the part of undici that sends requests is loaded: 131 → 97 ms of processor time, 66 → 59 MB (20 pairs).

const items = 100;

const drawFolders = async (root: string): Promise<string[]> => {
  const paths: string[] = [];
  for (let at = 0; at < items; at += 1) {
    const folder = join(root, `thing ${at}`);
    await mkdir(folder, { recursive: true });
    const background = `hsl(${(at * 37) % 360} 60% ${30 + (at % 5) * 10}%)`;
    const path = join(folder, 'photo.jpg');
    await sharp({ create: { width: 1632, height: 1224, channels: 3, background } })
      .jpeg()
      .toFile(path);
    paths.push(path);
  }
  return paths;
};

/** Returns the processor time in seconds of this process and its running descendants. */
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  const below = process.platform === 'linux' ? listDescendants(process.pid) : [];
  return below.reduce((sum, pid) => sum + readCpuSeconds(pid), (user + system) / 1e6);
};

const measured = async (work: () => Promise<unknown>): Promise<{ wall: number; cpu: number }> => {
  const [from, cpuFrom] = [performance.now(), cpuSeconds()];
  await work();
  return { wall: (performance.now() - from) / 1_000, cpu: cpuSeconds() - cpuFrom };
};

/** By item and step: the seconds from the drop until the item reached the step. */
type Timeline = Map<string, Map<string, number>>;

const isTimelineAsked = process.argv.includes('--timeline');
/** A shorter interval would distort the measurement. */
const lookEveryMs = 25;

/** Records the steps of all items. Each call costs as much time as one or two photos. */
const noteSteps = (companion: Companion, timeline: Timeline, from: number): void => {
  for (const { itemId, step } of companion.items.list.page(null, 'all', 0, items).rows) {
    const steps = timeline.get(itemId) ?? new Map<string, number>();
    if (!steps.has(step)) steps.set(step, (performance.now() - from) / 1_000);
    timeline.set(itemId, steps);
  }
};

/** Waits until all items are in review. Throws if an item stopped at another step. */
const followAll = async (companion: Companion): Promise<Timeline> => {
  const from = performance.now();
  const timeline: Timeline = new Map();
  for (let waiting = 0; waiting < items; waiting = companion.items.list.counts().toCheck) {
    await setTimeout(lookEveryMs);
    if (isTimelineAsked) noteSteps(companion, timeline, from);
  }
  for (const { step, stop } of companion.items.list.page(null, 'all', 0, items).rows)
    if (step !== 'review') throw new Error(stop?.sentence ?? `An item waits at ${step}.`);
  return timeline;
};

const printTimeline = (timeline: Timeline): void => {
  for (const [at, steps] of [...timeline.values()].reverse().entries())
    console.log(`${String(at).padStart(3)} ${[...steps].map(([step, s]) => `${step} ${s.toFixed(2)}`).join('  ')}`);
};

/**
 * Compares 100 dropped folders, until all items are in review, with the longest single part: the photos alone, the requests
 * alone, and the processor time of all parts spread over all processors. The writer takes no time.
 */
export const benchWholeWay = async (): Promise<Compared[]> => {
  const root = await mkdtemp(join(tmpdir(), 'bench-whole-'));
  const practice = await startTestPractice();
  const person = () => practice.person({ plan: 'Scale', connected: true, site: 'MKT_US' });
  try {
    const photos = await drawFolders(join(root, 'photos'));
    const { glances, preparing } = await inWorkshop(async (folder, workers) => ({
      glances: await measured(() =>
        Promise.all(photos.map((source) => workers.thumbnail({ source, outDir: join(folder, 'glances') }))),
      ),
      preparing: await measured(() => prepareAll(workers, photos, folder)),
    }));
    const { agentKey } = await person();
    const sending = await measured(async () => {
      for (let at = 0; at < items; at += 1) await practice.written(agentKey);
    });
    const companion = await createCompanion(
      {
        dataDir: join(root, 'data'),
        version: '0.0.0',
        service: { kind: 'practice', url: practice.url },
        startPhotoProcess: startKitchen,
        startDataThread,
        practicePerson: async () => ({ ...(await person()), email: 'whole@practice.example' }),
      },
      {
        clock: systemClock,
        random: Math.random,
        secrets: createMemorySecrets(),
        notify: () => undefined,
        log: () => undefined,
      },
    );
    await companion.start();
    await companion.connect.practice();
    const whole = await measured(async () => {
      const followed = followAll(companion);
      await companion.add({ kind: 'paths', paths: [join(root, 'photos')] });
      const timeline = await followed;
      if (isTimelineAsked) printTimeline(timeline);
    });
    await companion.stop();
    if (isTimelineAsked) console.log({ glances, preparing, sending, whole });
    const cores = availableParallelism();
    const parts = {
      'of photos': preparing.wall,
      'of requests': sending.wall,
      'of all processors for these and the small pictures': (glances.cpu + preparing.cpu + sending.cpu) / cores,
    };
    const named = Object.entries(parts).map(([what, s]) => `${s.toFixed(1)} s ${what}`);
    const what = `${items} folders from the drop to review`;
    const longest = `the longest of the parts (${named.join(', ')}; goal 1.2)`;
    const busy = 'all processors, busy with all of it and the service all the time (goal 1.1)';
    return [
      against(what, 's', whole.wall, longest, Math.max(...Object.values(parts))),
      against(what, 's', whole.wall, busy, whole.cpu / cores),
    ];
  } finally {
    await practice.close();
    await rm(root, { recursive: true, force: true });
  }
};
