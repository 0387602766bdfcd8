import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { createProblem } from '../base/problem.ts';
import { askerShape } from '../base/request.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import { generationWishes, newItemPhotos } from './addItems.ts';

const photoSet = newItemPhotos.omit({ dropId: true, shelf: true, call: true });
const repeatedSets = z.object({ sets: z.array(photoSet), by: askerShape, wishes: generationWishes });
type RepeatedSets = z.input<typeof repeatedSets>;
type StoredSets = z.output<typeof repeatedSets>;

const waitingRepeats = z.array(
  repeatedSets.extend({ repeatId: z.string(), account: z.string(), count: z.int().min(1) }),
);

/** The number of items that already have the photos. */
export type RepeatQuestion = { repeatId: string; count: number };

const settingName = 'repeated photos';

/** A person answers one question at a time, so older questions can be forgotten. */
const maxWaitingRepeats = 10;

type Stored = Pick<SettingsTable, 'read' | 'write'>;

const readWaitingRepeats = (settings: Stored): z.output<typeof waitingRepeats> =>
  settings.read(settingName, waitingRepeats) ?? [];

/** Returns the copies of photos that wait for the person's answer, so that they are not cleaned up. */
export const listRepeatedPhotoPaths = (settings: Stored): string[] =>
  readWaitingRepeats(settings).flatMap(({ sets }) =>
    sets.flatMap(({ photos }) => photos.filter(({ owned }) => owned).map(({ source }) => source)),
  );

/** Stores repeated sets until the person says whether to add them, so that a restart loses no photos. */
export const createRepeatStore = (settings: Stored, account: () => string) => ({
  list: (): RepeatQuestion[] =>
    readWaitingRepeats(settings)
      .filter((waiting) => waiting.account === account())
      .map(({ repeatId, count }) => ({ repeatId, count })),
  keep: (sets: RepeatedSets, count: number): RepeatQuestion => {
    const repeatId = randomUUID();
    const waiting = { ...sets, repeatId, account: account(), count };
    settings.write(settingName, [...readWaitingRepeats(settings), waiting].slice(-maxWaitingRepeats));
    return { repeatId, count };
  },
  /** Throws `NOT_FOUND.item` if the question was answered before. */
  take: (repeatId: string): StoredSets => {
    const all = readWaitingRepeats(settings);
    const found = all.find((waiting) => waiting.repeatId === repeatId && waiting.account === account());
    if (!found) throw createProblem('NOT_FOUND.item');
    settings.write(
      settingName,
      all.filter((waiting) => waiting !== found),
    );
    return found;
  },
});

export type RepeatStore = ReturnType<typeof createRepeatStore>;
