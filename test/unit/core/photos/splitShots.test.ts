import { expect, test } from 'vitest';
import { groupShotsByPause, type SplitRuleName, type PhotoShot } from '../../../../src/core/photos/splitGroups.ts';

const shots = (...times: (number | null)[]): PhotoShot[] =>
  times.map((seconds) => ({ takenAt: seconds === null ? undefined : 1e12 + seconds * 1_000, camera: 'A' }));
const by = (camera: string, list: PhotoShot[]): PhotoShot[] => list.map((shot) => ({ ...shot, camera }));
const hour = 3_600;

type Case = { what: string; on: SplitRuleName; given: PhotoShot[]; sets: number[][] };
const cases: Case[] = [
  { what: 'no photos', on: 'flat', given: [], sets: [[]] },
  { what: 'no times: one item', on: 'flat', given: shots(null, null, null), sets: [[0, 1, 2]] },
  { what: 'quick shots: one item', on: 'flat', given: shots(0, 8, 15, 30, 41), sets: [[0, 1, 2, 3, 4]] },
  {
    what: 'a pause between two things',
    on: 'flat',
    given: shots(0, 8, 15, 135, 142, 150),
    sets: [
      [0, 1, 2],
      [3, 4, 5],
    ],
  },
  { what: 'a slow photographer', on: 'flat', given: shots(0, 50, 110, 160, 230), sets: [[0, 1, 2, 3, 4]] },
  {
    what: 'a slow photographer with longer pauses',
    on: 'flat',
    given: shots(0, 40, 80, 400, 440, 480),
    sets: [
      [0, 1, 2],
      [3, 4, 5],
    ],
  },
  { what: 'two photos far apart', on: 'flat', given: shots(0, 2 * hour), sets: [[0], [1]] },
  {
    what: 'two cameras at the same time',
    on: 'flat',
    given: [...by('A', shots(0, 10)), ...by('B', shots(3, 12))],
    sets: [
      [0, 1],
      [2, 3],
    ],
  },
  {
    what: 'photos without a time stay with the one before, or with the first that has one',
    on: 'flat',
    given: shots(null, 0, null, 300, null),
    sets: [[0, 1, 2, 3, 4]],
  },
  {
    what: 'the same with plain pauses',
    on: 'flat',
    given: shots(null, 0, 5, null, 300, 305, null),
    sets: [
      [0, 1, 2, 3],
      [4, 5, 6],
    ],
  },
  {
    what: 'names out of order: time decides, the order of names stays within an item',
    on: 'flat',
    given: shots(500, 0, 505, 6),
    sets: [
      [0, 2],
      [1, 3],
    ],
  },
  { what: 'a folder of its own with a pause', on: 'own', given: shots(0, 8, 15, 900, 910), sets: [[0, 1, 2, 3, 4]] },
  { what: 'its two cameras', on: 'own', given: [...by('A', shots(0, 10)), ...by('B', shots(3))], sets: [[0, 1, 2]] },
  {
    what: 'a folder of its own that plainly is not one',
    on: 'own',
    given: shots(0, 8, 15, 900, 910, 2_000, 2_010, 2_020),
    sets: [
      [0, 1, 2],
      [3, 4],
      [5, 6, 7],
    ],
  },
];

test.each(cases)('shots are grouped into items: $what', ({ on, given, sets }) => {
  expect(groupShotsByPause(given, on)).toEqual(sets);
});

test('every photo is in exactly one group', () => {
  const given = Array.from({ length: 300 }, (_, at) => shots((at * 7_919) % 40_000)[0] as PhotoShot);
  expect(
    groupShotsByPause(given, 'flat')
      .flat()
      .toSorted((a, b) => a - b),
  ).toEqual(given.map((_, at) => at));
});
