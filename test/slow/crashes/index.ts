// `npm run crashes [-- 200]`: kills one run at each failpoint where something is stored or sent, and then 200 runs at
// random times. Prints what was lost or done twice, and exits with 1 if anything was.
import { isDeepStrictEqual } from 'node:util';
import { once, startCrashes } from '../../helpers/hosts/crashes.ts';
import { continueLife } from '../../helpers/hosts/life.ts';
import { createRandom } from '../../helpers/createRandom.ts';

type Verdict = { what: string; wrong: string | null };
type Crashes = Awaited<ReturnType<typeof startCrashes>>;

/** Completes the run and compares what happened with what should have happened. */
const finishRun = async (crashes: Crashes): Promise<string | null> => {
  const { items } = await continueLife(crashes.life, { when: 'never' });
  const found = { items, happened: await crashes.happened(), damage: crashes.damage() };
  return isDeepStrictEqual(found, { items: [3], happened: once, damage: [] }) ? null : JSON.stringify(found);
};

const judgeRun = async (what: string, story: (crashes: Crashes) => Promise<unknown>): Promise<Verdict> => {
  const crashes = await startCrashes();
  try {
    await story(crashes);
    return { what, wrong: await finishRun(crashes) };
  } catch (error) {
    return { what, wrong: error instanceof Error ? error.message : String(error) };
  } finally {
    await crashes.close();
  }
};

/** Returns every failpoint of an uninterrupted run. */
const listAllMoments = async (): Promise<string[]> => {
  const crashes = await startCrashes();
  const { moments } = await continueLife(crashes.life, { when: 'never' });
  await crashes.close();
  return moments;
};

/** Runs two tasks at a time, because there are at least two cores. */
const runInTwo = async <T>(tasks: (() => Promise<T>)[]): Promise<T[]> => {
  const line = [...tasks.entries()];
  const results: T[] = [];
  const runQueuedJobs = async (): Promise<void> => {
    for (let next = line.shift(); next; next = line.shift()) results[next[0]] = await next[1]();
  };
  await Promise.all([runQueuedJobs(), runQueuedJobs()]);
  return results;
};

// The same numbers every time, so that a run can be repeated.
const random = createRandom(20_261);
const times = Number(process.argv[2] ?? 200);
const moments = await listAllMoments();
console.log(`${moments.length} failpoints, then ${times} random kills, two runs at a time.`);
const atMoments = moments.map(
  (moment) => () => judgeRun(moment, (crashes) => continueLife(crashes.life, { when: 'at', moment })),
);
/** A run takes about two seconds and is killed one to three times. */
const atRandom = Array.from({ length: times }, (_, index) => () => {
  const waits = Array.from({ length: 1 + Math.floor(random() * 3) }, () => 300 + Math.floor(random() * 1_500));
  return judgeRun(`random ${index}: after ${waits.join(', ')} ms`, async (crashes) => {
    for (const wait of waits) await continueLife(crashes.life, { when: 'never' }, wait);
  });
});
const wrong = (await runInTwo([...atMoments, ...atRandom])).filter((verdict) => verdict.wrong !== null);
for (const verdict of wrong) console.log(`${verdict.what}\n  ${verdict.wrong}`);
console.log(`${moments.length + times - wrong.length} of ${moments.length + times} runs completed without damage.`);
process.exitCode = wrong.length > 0 ? 1 : 0;
