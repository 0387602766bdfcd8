import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  acts,
  askAsPerson,
  closeKills,
  closeScene,
  closeWorld,
  killWhileAsked,
  killWhileSent,
  openKills,
  startFresh,
  startScene,
  type IsEnd,
} from './kills.ts';

beforeAll(async () => {
  await openKills();
  await startFresh();
});
afterAll(async () => {
  await closeWorld();
  await closeKills();
});

const never: IsEnd = () => false;

/** The moment of a kill, by the place in a batch that it is found at after the restart. */
const asking = {
  'while it is asked': (moment) => /^after: .*\binsert into approvals\b/.test(moment),
  'after it is asked': never,
} satisfies Record<string, IsEnd>;
const sending = {
  'before the yes': (moment) => /^before: .*\bupdate batches rows\b/.test(moment),
  'before the first': (moment) => /^after: .*\bupdate batches rows\b/.test(moment),
  'between two': (moment) => /^after: (publish|revise|end)Listing was answered$/.test(moment),
  'after the last': never,
} satisfies Record<string, IsEnd>;

test.each(acts)(
  '%s: a batch killed at every step is approved for all rows or none, and each row is sent at most once',
  async (route) => {
    for (const [place, isEnd] of Object.entries(asking)) {
      const scene = await startScene(route, 3, 1_600);
      expect(await killWhileAsked(scene, `${route} ${place}`, isEnd)).toBe(place);
      await closeScene(scene);
    }
    for (const [place, isEnd] of Object.entries(sending)) {
      const scene = await startScene(route, 3, 1_700 + place.length);
      const batchId = await askAsPerson(scene);
      expect(await killWhileSent(scene, batchId, { isEnd })).toBe(place);
      await closeScene(scene);
    }
  },
);
