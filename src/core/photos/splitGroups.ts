import type { FileHandle } from 'node:fs/promises';
import { isMeaninglessFolderName, type PhotoFile, type PhotoGroup, removeFileExtension } from './groupFiles.ts';
import { detectFormat } from '../../photoContract/detectFormat.ts';
import { openFileInside } from './openInside.ts';
import { parseShotFacts, type ShotFacts } from '../../photoContract/exif.ts';
import { limits } from '../../contract/index.ts';

/** `takenAt` is in ms since 1970. */
export type PhotoShot = { takenAt: number | undefined; camera: string | undefined };

/**
 * How easily photos are split. `flat`: photos of many things without order. `own`: a folder that was probably made for
 * one thing, so only several long pauses split it.
 */
export type SplitRuleName = 'flat' | 'own';
const splitRules = {
  flat: { leastPauseMs: 60_000, timesUsual: 4, leastSets: 2, byCamera: true },
  own: { leastPauseMs: 180_000, timesUsual: 8, leastSets: 3, byCamera: false },
} as const satisfies Record<SplitRuleName, object>;

const alwaysSplitMs = 20 * 60_000;

type TimedShot = { at: number; takenAt: number; camera: string };

/**
 * Returns the pause at one third of the sorted pauses, because photos of one thing are taken quickly after each other.
 */
const getUsualPause = (pauses: readonly number[]): number =>
  pauses.toSorted((a, b) => a - b)[Math.floor(pauses.length / 3)] ?? 0;

const splitAtLongPauses = (
  shots: readonly TimedShot[],
  { leastPauseMs, timesUsual }: (typeof splitRules)[SplitRuleName],
): TimedShot[][] => {
  const pauses = shots.slice(1).map((shot, index) => shot.takenAt - (shots[index]?.takenAt ?? 0));
  const limit = Math.min(alwaysSplitMs, Math.max(leastPauseMs, timesUsual * getUsualPause(pauses)));
  const sets: TimedShot[][] = [];
  for (const [index, shot] of shots.entries()) {
    const pause = pauses[index - 1];
    if (pause === undefined || pause >= limit) sets.push([shot]);
    else sets.at(-1)?.push(shot);
  }
  return sets;
};

/**
 * Groups the indexes of photos that probably show one thing, by camera and time. A photo without a time stays with the
 * photo before it. Returns one group if the evidence is weak.
 */
export const groupShotsByPause = (shots: readonly PhotoShot[], on: SplitRuleName): number[][] => {
  const all = [shots.map((_, at) => at)];
  const rule = splitRules[on];
  const timed = shots.flatMap(({ takenAt, camera }, at): TimedShot[] =>
    takenAt === undefined ? [] : [{ at, takenAt, camera: rule.byCamera ? (camera ?? '') : '' }],
  );
  const byTime = timed.toSorted((a, b) => a.takenAt - b.takenAt || a.at - b.at);
  const cameras = Map.groupBy(byTime, ({ camera }) => camera);
  const sets = [...cameras.values()].flatMap((taken) => splitAtLongPauses(taken, rule));
  if (sets.length < rule.leastSets) return all;
  const setOf = new Map(sets.flatMap((set, nth) => set.map(({ at }) => [at, nth] as const)));
  const grouped = sets.map((): number[] => []);
  // Photos before the first photo with a time belong to the set of that photo.
  let nth = setOf.get(Math.min(...setOf.keys())) ?? 0;
  for (const at of shots.keys()) {
    nth = setOf.get(at) ?? nth;
    grouped[nth]?.push(at);
  }
  return grouped.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
};

const maxParallelReads = 4;
/** Cameras write EXIF at the start of a JPEG file, so reading this many bytes is enough. */
const headBytes = 64 * 1024;
/** A HEIC file can store EXIF anywhere, so a file of at most this size is read completely. */
const maxBytes = 30e6;

const unknownShot: ShotFacts = { takenAt: undefined, camera: undefined };

const readShotFactsOfFile = async (file: FileHandle, memory: Buffer): Promise<ShotFacts> => {
  const { bytesRead } = await file.read(memory, 0, headBytes, 0);
  const head = memory.subarray(0, bytesRead);
  const facts = parseShotFacts(head);
  if (facts.takenAt !== undefined || bytesRead < headBytes || (await detectFormat(head)) !== 'heic') return facts;
  const { size } = await file.stat();
  return size > maxBytes ? facts : parseShotFacts(await file.readFile());
};

const readAllShots = async (photos: readonly PhotoFile[]): Promise<ShotFacts[]> => {
  const shots: ShotFacts[] = [];
  let next = 0;
  const readNextShots = async (): Promise<void> => {
    const memory = Buffer.alloc(headBytes);
    for (let at = next++; at < photos.length; at = next++) {
      const { path = '', root = null } = photos[at] ?? {};
      const file = await openFileInside(root === null ? null : [root], path).catch(() => null);
      shots[at] = file ? await readShotFactsOfFile(file, memory).catch(() => unknownShot) : unknownShot;
      await file?.close();
    }
  };
  await Promise.all(Array.from({ length: maxParallelReads }, readNextShots));
  return shots;
};

export type GuessedGroup = PhotoGroup & { guessed: boolean };

const maxLikelySingleItem = 8;

const isUnsortedGroup = ({ folder, name, photos }: PhotoGroup): boolean =>
  folder === null || photos.length > limits.photosPerListing || isMeaninglessFolderName(name);
const hasMeaninglessName = ({ folder, name }: PhotoGroup): boolean => folder === null || isMeaninglessFolderName(name);

const splitSingleGroup = async (group: PhotoGroup, on: SplitRuleName): Promise<GuessedGroup[]> => {
  if (group.photos.length < 2) return [{ ...group, guessed: false }];
  const sets = groupShotsByPause(await readAllShots(group.photos), on);
  if (sets.length === 1)
    return [{ ...group, guessed: hasMeaninglessName(group) && group.photos.length > maxLikelySingleItem }];
  return sets.map((set, nth) => {
    const photos = set.flatMap((at) => group.photos[at] ?? []);
    const name =
      group.folder === null ? removeFileExtension(photos[0]?.name ?? group.name) : `${group.name} ${nth + 1}`;
    return { ...group, name, photos, guessed: true };
  });
};

/**
 * Splits groups that probably show several things, by camera and time. A folder that the person named is not split if
 * there are several such folders.
 */
export const splitPhotoGroups = async (groups: readonly PhotoGroup[]): Promise<GuessedGroup[]> => {
  const sorted = groups.filter((group) => !isUnsortedGroup(group)).length > 1;
  const split: GuessedGroup[] = [];
  for (const group of groups) {
    if (isUnsortedGroup(group)) split.push(...(await splitSingleGroup(group, 'flat')));
    else if (sorted) split.push({ ...group, guessed: false });
    else split.push(...(await splitSingleGroup(group, 'own')));
  }
  return split;
};
