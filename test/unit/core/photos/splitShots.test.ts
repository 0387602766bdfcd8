import { expect, test } from 'vitest';
import { groupShotsByPause, type SplitRuleName, type PhotoShot } from '../../../../src/core/photos/splitGroups.ts';

const createShots = (...times: (number | null)[]): PhotoShot[] =>
  times.map((seconds) => ({ takenAt: seconds === null ? undefined : 1e12 + seconds * 1_000, camera: 'A' }));
const takenWith = (camera: string, list: PhotoShot[]): PhotoShot[] => list.map((shot) => ({ ...shot, camera }));
const hour = 3_600;

type Case = { what: string; on: SplitRuleName; given: PhotoShot[]; sets: number[][] };
const cases: Case[] = [
  { what: 'no photos give one empty group', on: 'flat', given: [], sets: [[]] },
  { what: 'photos without times are one item', on: 'flat', given: createShots(null, null, null), sets: [[0, 1, 2]] },
  { what: 'quick shots are one item', on: 'flat', given: createShots(0, 8, 15, 30, 41), sets: [[0, 1, 2, 3, 4]] },
  {
    what: 'a pause separates two items',
    on: 'flat',
    given: createShots(0, 8, 15, 135, 142, 150),
    sets: [
      [0, 1, 2],
      [3, 4, 5],
    ],
  },
  {
    what: 'slow regular shots are one item',
    on: 'flat',
    given: createShots(0, 50, 110, 160, 230),
    sets: [[0, 1, 2, 3, 4]],
  },
  {
    what: 'longer pauses between slow shots separate items',
    on: 'flat',
    given: createShots(0, 40, 80, 400, 440, 480),
    sets: [
      [0, 1, 2],
      [3, 4, 5],
    ],
  },
  { what: 'two photos hours apart are two items', on: 'flat', given: createShots(0, 2 * hour), sets: [[0], [1]] },
  {
    what: 'photos from two cameras are separate items',
    on: 'flat',
    given: [...takenWith('A', createShots(0, 10)), ...takenWith('B', createShots(3, 12))],
    sets: [
      [0, 1],
      [2, 3],
    ],
  },
  {
    what: 'a photo without a time belongs to the previous photo',
    on: 'flat',
    given: createShots(null, 0, null, 300, null),
    sets: [[0, 1, 2, 3, 4]],
  },
  {
    what: 'a photo without a time before a pause belongs to the previous photo',
    on: 'flat',
    given: createShots(null, 0, 5, null, 300, 305, null),
    sets: [
      [0, 1, 2, 3],
      [4, 5, 6],
    ],
  },
  {
    what: 'photos are separated by time, not by name',
    on: 'flat',
    given: createShots(500, 0, 505, 6),
    sets: [
      [0, 2],
      [1, 3],
    ],
  },
  {
    what: 'a pause does not split a folder of one item',
    on: 'own',
    given: createShots(0, 8, 15, 900, 910),
    sets: [[0, 1, 2, 3, 4]],
  },
  {
    what: 'a second camera does not split a folder of one item',
    on: 'own',
    given: [...takenWith('A', createShots(0, 10)), ...takenWith('B', createShots(3))],
    sets: [[0, 1, 2]],
  },
  {
    what: 'several long pauses split a folder of one item',
    on: 'own',
    given: createShots(0, 8, 15, 900, 910, 2_000, 2_010, 2_020),
    sets: [
      [0, 1, 2],
      [3, 4],
      [5, 6, 7],
    ],
  },
];

test.each(cases)('photos are grouped into items by pauses: $what', ({ on, given, sets }) => {
  expect(groupShotsByPause(given, on)).toEqual(sets);
});

test('every photo is in exactly one group', () => {
  const given = Array.from({ length: 300 }, (_, at) => createShots((at * 7_919) % 40_000)[0] as PhotoShot);
  expect(
    groupShotsByPause(given, 'flat')
      .flat()
      .toSorted((a, b) => a - b),
  ).toEqual(given.map((_, at) => at));
});
