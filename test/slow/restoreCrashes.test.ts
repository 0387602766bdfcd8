import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrations } from '../../src/core/storage/migrations/index.ts';
import { oldData, oldVersion, restoredData, startRestores, type Found } from '../helpers/hosts/restores.ts';
import { sampledBy, drawSample } from '../helpers/sample.ts';

let restores: Awaited<ReturnType<typeof startRestores>>;
beforeAll(async () => {
  restores = await startRestores();
});
afterAll(() => restores.close());
beforeEach(() => restores.reset());

const never = { when: 'never' } as const;
const timeout = 1_200_000;
const pairsStride = 10;

/** Returns the failpoints of a start that are file operations. */
const stepsOf = (moments: readonly string[]): string[] =>
  moments.filter((moment) => /: (copy|rename|remove|sync) /.test(moment));

/** Starts a companion that is killed at the failpoint. */
const startKilled = async (restore: string | null, moment: string): Promise<void> => {
  const { fact } = await restores.start(restore, { when: 'at', moment });
  expect([moment, fact]).toEqual([moment, null]);
};

/** Expects the next start to find the old or the restored data intact, and the replaced data set aside. */
const expectWhole = async (restored: Found = restoredData, aside: number | null = oldData.approvalMinutes) => {
  const { fact } = await restores.start(null, never);
  const isOld = restores.putAside().length === 0;
  expect(fact).toEqual(isOld ? oldData : restored);
  expect(restores.putAside()).toEqual(isOld ? [] : [aside]);
  expect(restores.damage()).toEqual([]);
  return isOld;
};

test(
  `a restore that is killed at any step (${sampledBy}) leaves either the old or the new data intact`,
  { timeout },
  async () => {
    const { moments, fact } = await restores.start('newest', never);
    expect(fact).toEqual(restoredData);
    expect(stepsOf(moments)).toEqual(
      expect.arrayContaining(
        [
          'copy a part to companion.db.staged',
          'rename companion.db-wal',
          'rename unfinished',
          'rename companion.db.ready',
        ].map((step) => `after: ${step}`),
      ),
    );
    const outcomes: boolean[] = [];
    for (const moment of drawSample('restore', moments, 5)) {
      await restores.reset();
      await startKilled('newest', moment);
      outcomes.push(await expectWhole());
    }
    // Once the copy is ready, a later kill does not bring back the old data.
    expect(outcomes).toEqual(outcomes.toSorted((one, other) => Number(other) - Number(one)));
  },
);

test(`a requested restore completes even if it is killed twice (${sampledBy})`, { timeout }, async () => {
  await restores.wish();
  const steps = stepsOf((await restores.start(null, never)).moments);
  for (const [index, first] of drawSample('first kill', steps, 3).entries()) {
    await restores.reset();
    await restores.wish();
    await startKilled(null, first);
    const again = stepsOf((await restores.start(null, never)).moments);
    expect(restores.putAside()).toEqual([oldData.approvalMinutes]);
    // All pairs would take 15 minutes, so each second kill follows only some of the first kills.
    const seconds = again.filter((_second, at) => at % pairsStride === index % pairsStride);
    for (const second of drawSample(`second kill ${first}`, seconds, 1)) {
      await restores.reset();
      await restores.wish();
      await startKilled(null, first);
      await startKilled(null, second);
      expect([first, second, await expectWhole()]).toEqual([first, second, false]);
    }
  }
});

test(
  `a second restore that is killed at any step keeps both earlier databases (${sampledBy})`,
  { timeout },
  async () => {
    const steps = stepsOf((await restores.start('newest', never)).moments);
    for (const moment of drawSample('restore of a restore', steps, 2)) {
      await restores.reset();
      await startKilled('newest', moment);
      const { fact } = await restores.start('newest', never);
      expect(fact).toEqual(restoredData);
      const aside = restores.putAside();
      expect(aside[0]).toBe(oldData.approvalMinutes);
      expect(aside.slice(1).every((minutes) => minutes === restoredData.approvalMinutes)).toBe(true);
    }
  },
);

test(
  `a damaged database is replaced even if the repair is killed at any step (${sampledBy})`,
  { timeout },
  async () => {
    restores.harm();
    const repaired = { ...restoredData, repaired: true };
    const { moments, fact } = await restores.start(null, never);
    expect(fact).toEqual(repaired);
    for (const moment of drawSample('repair', stepsOf(moments), 3)) {
      await restores.reset();
      restores.harm();
      await startKilled(null, moment);
      expect([moment, await expectWhole(repaired, null)]).toEqual([moment, false]);
    }
  },
);

/** Returns the versions of all backups that are not of this version; null for another file. */
const listOlderBackups = () => restores.backupVersions().filter((version) => version !== migrations.length);

test(
  `an update that is killed at any step is complete or not begun, and has one backup (${sampledBy})`,
  { timeout },
  async () => {
    restores.outdate();
    const { moments, fact } = await restores.start(null, never);
    expect(fact?.approvalMinutes).toBe(oldData.approvalMinutes);
    expect(listOlderBackups()).toEqual([oldVersion]);
    expect(stepsOf(moments)).toEqual(
      expect.arrayContaining(['after: copy a part to unfinished.part', 'after: rename unfinished.part']),
    );
    for (const moment of drawSample('update', moments, 4)) {
      await restores.reset();
      restores.outdate();
      await startKilled(null, moment);
      const next = await restores.start(null, never);
      expect([moment, next.fact]).toEqual([moment, fact]);
      expect([moment, listOlderBackups()]).toEqual([moment, [oldVersion]]);
    }
  },
);

test(`a check after a crash that is killed at any step loses no data (${sampledBy})`, { timeout }, async () => {
  const steps = stepsOf((await restores.start(null, never)).moments);
  expect(steps).toContain('after: rename companion.db.unchecked.part');
  for (const moment of drawSample('check', steps, 2)) {
    await restores.reset();
    await startKilled(null, moment);
    expect([moment, await expectWhole()]).toEqual([moment, true]);
  }
});
