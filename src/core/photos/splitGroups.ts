import type { FileHandle } from 'node:fs/promises';
import { namesNothing, type PhotoFile, type PhotoGroup, stemOf } from './groupFiles.ts';
import { detectFormat } from '../../photoContract/detectFormat.ts';
import { openInside } from './openInside.ts';
import { readShot, type ShotFacts } from '../../photoContract/exif.ts';
import { limits } from '../../contract/index.ts';

/** The EXIF facts read before decoding: camera and time (ms since 1970), where present. */
export type Shot = { takenAt: number | undefined; camera: string | undefined };

/**
 * How strong the evidence must be to split photos. `flat`: unsorted photos of many things. `own`: a folder probably
 * made for one thing, so only several long pauses split it.
 */
export type Grounds = 'flat' | 'own';
const grounds = {
  flat: { leastPauseMs: 60_000, timesUsual: 4, leastSets: 2, byCamera: true },
  own: { leastPauseMs: 180_000, timesUsual: 8, leastSets: 3, byCamera: false },
} as const satisfies Record<Grounds, object>;

/** A pause this long always ends a set. */
const alwaysMs = 20 * 60_000;

type Timed = { at: number; takenAt: number; camera: string };

/** Returns the pause at the lower third: photos of one thing follow each other quickly. */
const usualPause = (pauses: readonly number[]): number =>
  pauses.toSorted((a, b) => a - b)[Math.floor(pauses.length / 3)] ?? 0;

const splitAtPauses = (shots: readonly Timed[], { leastPauseMs, timesUsual }: (typeof grounds)[Grounds]): Timed[][] => {
  const pauses = shots.slice(1).map((shot, index) => shot.takenAt - (shots[index]?.takenAt ?? 0));
  const limit = Math.min(alwaysMs, Math.max(leastPauseMs, timesUsual * usualPause(pauses)));
  const sets: Timed[][] = [];
  for (const [index, shot] of shots.entries()) {
    const pause = pauses[index - 1];
    if (pause === undefined || pause >= limit) sets.push([shot]);
    else sets.at(-1)?.push(shot);
  }
  return sets;
};

/**
 * Groups the photos of one folder into sets of indexes that probably show the same thing: shot by one camera without a
 * longer pause. Photos without a time stay with the previous one. Returns one set if the evidence is weak.
 */
export const groupShots = (shots: readonly Shot[], on: Grounds): number[][] => {
  const all = [shots.map((_, at) => at)];
  const rule = grounds[on];
  const timed = shots.flatMap(({ takenAt, camera }, at): Timed[] =>
    takenAt === undefined ? [] : [{ at, takenAt, camera: rule.byCamera ? (camera ?? '') : '' }],
  );
  const byTime = timed.toSorted((a, b) => a.takenAt - b.takenAt || a.at - b.at);
  const cameras = Map.groupBy(byTime, ({ camera }) => camera);
  const sets = [...cameras.values()].flatMap((taken) => splitAtPauses(taken, rule));
  if (sets.length < rule.leastSets) return all;
  const setOf = new Map(sets.flatMap((set, nth) => set.map(({ at }) => [at, nth] as const)));
  const grouped = sets.map((): number[] => []);
  // Photos before the first one with a time belong to that one's set.
  let nth = setOf.get(Math.min(...setOf.keys())) ?? 0;
  for (const at of shots.keys()) {
    nth = setOf.get(at) ?? nth;
    grouped[nth]?.push(at);
  }
  return grouped.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
};

const readAtOnce = 4;
/** Cameras write EXIF at the start of a JPEG. */
const headBytes = 64 * 1024;
/** HEIC may store EXIF anywhere; larger files are skipped. */
const mostBytes = 30e6;

const unknown: ShotFacts = { takenAt: undefined, camera: undefined };

const read = async (file: FileHandle, memory: Buffer): Promise<ShotFacts> => {
  const { bytesRead } = await file.read(memory, 0, headBytes, 0);
  const head = memory.subarray(0, bytesRead);
  const facts = readShot(head);
  if (facts.takenAt !== undefined || bytesRead < headBytes || (await detectFormat(head)) !== 'heic') return facts;
  const { size } = await file.stat();
  return size > mostBytes ? facts : readShot(await file.readFile());
};

/** Reads times and cameras of photos; unreadable photos have no facts. */
const readShots = async (photos: readonly PhotoFile[]): Promise<ShotFacts[]> => {
  const shots: ShotFacts[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    const memory = Buffer.alloc(headBytes);
    for (let at = next++; at < photos.length; at = next++) {
      const { path = '', root = null } = photos[at] ?? {};
      const file = await openInside(root === null ? null : [root], path).catch(() => null);
      shots[at] = file ? await read(file, memory).catch(() => unknown) : unknown;
      await file?.close();
    }
  };
  await Promise.all(Array.from({ length: readAtOnce }, lane));
  return shots;
};

/** Photos of one item, and whether the grouping is a guess. */
export type GuessedGroup = PhotoGroup & { guessed: boolean };

/** An unnamed folder with more photos than this is probably not a single item. */
const hardlyOne = 8;

const isFlat = ({ folder, name, photos }: PhotoGroup): boolean =>
  folder === null || photos.length > limits.photosPerListing || namesNothing(name);
const saysNothing = ({ folder, name }: PhotoGroup): boolean => folder === null || namesNothing(name);

const splitGroup = async (group: PhotoGroup, on: Grounds): Promise<GuessedGroup[]> => {
  if (group.photos.length < 2) return [{ ...group, guessed: false }];
  const sets = groupShots(await readShots(group.photos), on);
  if (sets.length === 1) return [{ ...group, guessed: saysNothing(group) && group.photos.length > hardlyOne }];
  return sets.map((set, nth) => {
    const photos = set.flatMap((at) => group.photos[at] ?? []);
    const name = group.folder === null ? stemOf(photos[0]?.name ?? group.name) : `${group.name} ${nth + 1}`;
    return { ...group, name, photos, guessed: true };
  });
};

/**
 * Splits groups of photos that probably show several things, by time and camera. A named folder stays one item,
 * especially when the person sorted photos into several folders.
 */
export const splitGroups = async (groups: readonly PhotoGroup[]): Promise<GuessedGroup[]> => {
  const sorted = groups.filter((group) => !isFlat(group)).length > 1;
  const split: GuessedGroup[] = [];
  for (const group of groups) {
    if (isFlat(group)) split.push(...(await splitGroup(group, 'flat')));
    else if (sorted) split.push({ ...group, guessed: false });
    else split.push(...(await splitGroup(group, 'own')));
  }
  return split;
};

/** The features of a photo that can mark the start of an item. */
export type ItemMarker = { barcodes: readonly unknown[]; sheet: boolean };

export const isItemMarker = ({ barcodes, sheet }: ItemMarker): boolean => barcodes.length > 0 || sheet;

/**
 * Returns the indexes at which new items begin, for sellers who photograph a barcode or a numbered sheet of paper
 * before each item. Applies only if the first photo is such a mark, there are several, and each is followed by other
 * photos. Otherwise returns one item, because a barcode in the middle may be an ordinary photo.
 */
export const itemStarts = (photos: readonly ItemMarker[]): number[] => {
  const marks = photos.map(isItemMarker);
  const starts = marks.flatMap((mark, at) => (mark && !marks[at - 1] ? [at] : []));
  const followed = starts.every((at) => marks.indexOf(false, at) !== -1);
  return starts[0] === 0 && starts.length > 1 && followed ? starts : [0];
};
