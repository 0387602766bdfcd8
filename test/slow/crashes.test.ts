import { afterEach, beforeEach, expect, test } from 'vitest';
import { once, startCrashes } from '../helpers/hosts/crashes.ts';
import { continueLife } from '../helpers/hosts/life.ts';
import { isWhole, sampledBy, drawSample } from '../helpers/sample.ts';

let crashes: Awaited<ReturnType<typeof startCrashes>>;
beforeEach(async () => {
  crashes = await startCrashes();
});
afterEach(() => crashes.close());

const expectWhole = async (items: number[] | null) => {
  expect(items).toEqual([3]);
  expect(await crashes.happened()).toEqual(once);
  expect(crashes.damage()).toEqual([]);
};

/** The number of failpoints in a sample. */
const sampledMoments = 6;

/** Returns the failpoints at which a sampled run is not killed: all but a few. */
const listSpared = async (): Promise<string[]> => {
  if (isWhole) return [];
  const other = await startCrashes();
  const { moments } = await continueLife(other.life, { when: 'never' });
  await other.close();
  const firsts = moments.filter((moment) => !/ \(\d\)$/.test(moment));
  const chosen = new Set(drawSample('moments', firsts, sampledMoments));
  return firsts.filter((moment) => !chosen.has(moment));
};

// `npm run crashes` starts a new run for every failpoint, and kills more runs at random times.
test(
  `a run that is killed at each step (${sampledBy}) completes without losses or duplicates`,
  { timeout: 600_000 },
  async () => {
    const never = await listSpared();
    const moments: string[] = [];
    for (;;) {
      const { moments: met, items } = await continueLife(crashes.life, {
        when: 'atAnyBut',
        moments: [...never, ...moments],
      });
      const last = met.at(-1);
      if (items !== null) {
        await expectWhole(items);
        break;
      }
      expect(last).toBeDefined();
      moments.push(last ?? '');
    }
    // New failpoints in the code are included automatically.
    const known = [...never, ...moments];
    for (const asked of ['publishListing', 'reviseListing', 'endListing', 'generateListing', 'createListing'])
      expect(known).toEqual(expect.arrayContaining([`before: ${asked} is sent`, `after: ${asked} was answered`]));
    expect(known.length).toBeGreaterThan(60);
    expect(moments.length).toBeGreaterThanOrEqual(isWhole ? 60 : sampledMoments / 2);
  },
);

test('if a listing ended before a crash, its item is updated at the next start', async () => {
  const before = { when: 'at', moment: 'before: update items checked_at step stop section updated_at (2)' } as const;
  expect((await continueLife(crashes.life, before)).items).toBeNull();
  await expectWhole((await continueLife(crashes.life, { when: 'never' })).items);
});
