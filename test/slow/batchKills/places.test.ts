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

const isNever: IsEnd = () => false;

/** The failpoint of each kill, by the stage of the batch that the restart finds. */
const asking = {
  'while it is requested': (moment) => /^after: .*\binsert into approvals\b/.test(moment),
  'after it is requested': isNever,
} satisfies Record<string, IsEnd>;
const sending = {
  'before the approval': (moment) => /^before: .*\bupdate batches rows\b/.test(moment),
  'before the first': (moment) => /^after: .*\bupdate batches rows\b/.test(moment),
  'between two': (moment) => /^after: (publish|revise|end)Listing was answered$/.test(moment),
  'after the last': isNever,
} satisfies Record<string, IsEnd>;

test.each(acts)(
  'a batch of %s requests that is killed at any step is approved completely or not at all',
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
