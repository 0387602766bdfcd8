import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ItemView } from '../../src/core/storage/tables/itemRecord.ts';
import { explainNoSmallDisk, startOnSmallDisk } from '../helpers/hosts/smallDisk.ts';
import { createDrawnFolder } from '../helpers/photos/createDrawnFolder.ts';
import { startTestPractice } from '../helpers/practice.ts';
import { drawSample, sampledBy } from '../helpers/sample.ts';
import { waitUntil } from '../helpers/testClock.ts';

const folders = 10;
/** After how many checks by the window the disk fills up, and how many bytes remain. */
const moments = Array.from({ length: 50 }, (_, at) => ({ looks: at, leaving: (at % 5) * 60_000 }));
const maxAnswerMs = 10_000;

/** Rejects if an answer takes longer than a person would wait. */
const rejectIfLate = async <T>(answer: Promise<T>): Promise<T> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('No answer came in time.')), maxAnswerMs);
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
};

const missing = explainNoSmallDisk();

describe.skipIf(missing !== null)(`a disk that fills up${missing === null ? '' : `: ${missing}`}`, () => {
  test.each(drawSample('full disk', moments, 2))(
    `no photo is lost if only $leaving bytes are free after $looks reads of the items (${sampledBy})`,
    async ({ looks, leaving }) => {
      const practice = await startTestPractice();
      const home = await mkdtemp(join(tmpdir(), 'disk-full-'));
      const disk = startOnSmallDisk({ dataDir: join(home, 'data'), practiceUrl: practice.url, megabytes: 24 });
      try {
        await disk.order('start', {});
        const names = Array.from({ length: folders }, (_, at) => `item ${at}`);
        const paths = await Promise.all(names.map((name) => createDrawnFolder(join(home, 'photos'), name, 2)));
        const { itemIds } = await disk.call('items.add', { sources: { kind: 'paths', paths } });
        const readItems = (): Promise<ItemView[]> =>
          Promise.all(itemIds.map((itemId) => rejectIfLate(disk.call('items.get', { itemId }))));
        for (let left = looks; left > 0; left -= 1) await readItems();
        await waitUntil(
          () =>
            disk.order('fill', { leaving }).then(
              () => true,
              () => false,
            ),
          'the disk to be full',
        );
        const isAtRest = ({ step, words }: ItemView): boolean => step === 'review' || words.includes('disk is full');
        await waitUntil(async () => (await readItems()).some(isAtRest), 'an item to say why it waits');
        for (const { words, stop } of await readItems()) expect((stop?.sentence ?? words).length).toBeGreaterThan(0);
        await disk.order('free', {});
        const made = await waitUntil(async () => {
          const views = await readItems();
          return views.every(({ step }) => step === 'review') ? views : null;
        }, 'every item to be up for review');
        expect(made.flatMap(({ photos }) => photos.map(({ state }) => state))).toEqual(Array(20).fill('ready'));
        expect(await disk.order('damage', {})).toEqual([]);
      } finally {
        await disk.close();
        await practice.close();
        await rm(home, { recursive: true, force: true });
      }
    },
  );
});
