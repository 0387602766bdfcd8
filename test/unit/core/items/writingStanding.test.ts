import { expect, test } from 'vitest';
import type { Standing } from '../../../../src/contract/index.ts';
import { createWritingStanding } from '../../../../src/core/items/writingStanding.ts';

const standing = (remaining: number, more: Partial<Standing['allowance']> = {}): Standing => ({
  allowance: { remaining, creditBalance: 0, ...more },
});
const never = new AbortController().signal;

/** For how many of so many writings the service was asked what is left; each time it answers the same. */
const readsFor = async (writings: number, answer: Standing): Promise<number> => {
  let recent: Standing | null = null;
  let reads = 0;
  const judge = createWritingStanding(
    () => recent,
    async () => {
      reads += 1;
      recent = structuredClone(answer);
      return recent;
    },
  );
  for (let at = 0; at < writings; at += 1) await judge(never);
  return reads;
};

test('one reading tells enough for many writings, but for those that may be the last ones', async () => {
  expect(await readsFor(100, standing(200))).toBe(1);
  // Five may be on their way when it is read: of twelve that are left, seven are judged by that reading.
  expect(await readsFor(8, standing(12))).toBe(1);
  expect(await readsFor(9, standing(12))).toBe(2);
  expect(await readsFor(8, standing(2, { creditBalance: 10 }))).toBe(1);
});

test('each writing is read for where little is left, or where it could be charged to an extra', async () => {
  expect(await readsFor(4, standing(5))).toBe(4);
  expect(await readsFor(4, standing(0))).toBe(4);
  expect(await readsFor(4, standing(200, { extras: { approval: { remaining: 3 } } }))).toBe(4);
});

test('a reading that is not known any more stands for nothing', async () => {
  let reads = 0;
  const judge = createWritingStanding(
    () => null,
    async () => {
      reads += 1;
      return standing(200);
    },
  );
  for (let at = 0; at < 3; at += 1) await judge(never);
  expect(reads).toBe(3);
});
