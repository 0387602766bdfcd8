import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { closeSync, existsSync, ftruncateSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { putInPlaceSync } from '../../disk/changeFiles.ts';
import { retryHeldSync, systemDisk, type Disk } from '../../disk/disk.ts';
import type { Log } from '../base/ports.ts';
import { problem } from '../base/problem.ts';
import { writeFileWhole } from './fileSteps.ts';

/**
 * `begun`: nobody is let in but who is known here. `let`: an assistant's rights are in force where the database has this
 * stamp. `gone`: what was revoked, refused or used up never comes back. `held`: no rights are in force until the person
 * has looked at them.
 */
export const accessLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begun'), known: z.array(z.string()) }),
  z.object({ kind: z.literal('let'), id: z.string(), stamp: z.string() }),
  z.object({ kind: z.literal('gone'), id: z.string() }),
  z.object({ kind: z.literal('held'), at: z.int() }),
]);
export type AccessLine = z.infer<typeof accessLine>;

/** The check sum of what stands before the first line. */
export const sumBefore = '0'.repeat(16);
const sumOf = (before: string, text: string): string =>
  createHash('sha256').update(`${before} ${text}`).digest('hex').slice(0, sumBefore.length);

/** Lines as they are written after one with that check sum, and the check sum of the last. */
export const written = (before: string, lines: readonly AccessLine[]): { text: string; sum: string } => {
  let [text, sum] = ['', before];
  for (const line of lines) {
    const json = JSON.stringify(line);
    sum = sumOf(sum, json);
    text += `${sum} ${json}\n`;
  }
  return { text, sum };
};

const parsed = (json: string): AccessLine | null => {
  try {
    return accessLine.parse(JSON.parse(json));
  } catch {
    return null;
  }
};

/** What a text of lines says, its last check sum and its length. Of a damaged one only what is gone is believed. */
export type ReadAccess = { isDamaged: boolean; lines: AccessLine[]; sum: string; bytes: number };

/** Reads lines, each with the check sum that follows from all before it. */
export const readLines = (text: string): ReadAccess => {
  const rows = text.split('\n');
  const torn = rows.pop();
  const lines: AccessLine[] = [];
  let sum = sumBefore;
  for (const row of rows) {
    const json = row.slice(sumBefore.length + 1);
    const line = parsed(json);
    if (line === null || row !== `${sumOf(sum, json)} ${json}`) return damaged(rows);
    lines.push(line);
    sum = sumOf(sum, json);
  }
  // Nobody knows what stood in a line that is not whole, and whether it was answered.
  if (torn !== '' || lines[0]?.kind !== 'begun') return damaged(rows);
  return { isDamaged: false, lines, sum, bytes: Buffer.byteLength(text) };
};

const damaged = (rows: readonly string[]): ReadAccess => {
  const lines = rows.map((row) => parsed(row.slice(sumBefore.length + 1)));
  return { isDamaged: true, lines: lines.filter((line) => line?.kind === 'gone'), sum: sumBefore, bytes: 0 };
};

/** The file beside the database that no copy of the database holds, and no restore brings back. */
export const accessFile = (dataDir: string): string => join(dataDir, 'assistants-access.log');

type Assistant = { id: string; stamp: string | null };
type AccessLogContext = {
  dataDir: string;
  log: Log;
  now: () => number;
  /** The assistants of the database. */
  assistants: readonly Assistant[];
  /** Whether the database is a copy that was put in the place of another. */
  isRestored: boolean;
  disk?: Disk;
};

/**
 * Who is let in, as the database alone cannot say it: a copy that takes its place brings back whoever was let in when it
 * was made. An assistant is in force only where this file and the database agree, so older rights are held however they
 * came back; what was revoked or refused stays so for good. Each line is on the disk before what it is about is answered.
 * A file that is missing or damaged, too, holds everybody.
 */
export type AccessLog = {
  /** Whether there was no such file before, nor an assistant that could have been in one. */
  wasMade: boolean;
  /** Whether an assistant was revoked, or was never let in as far as this file knows. */
  isGone: (assistantId: string) => boolean;
  /** Whether the rights that the database has of an assistant are not those that the person gave it last. */
  isHeld: (assistant: Assistant) => boolean;
  /** Whether a request to be let in was answered, used, or made before everybody was held. */
  isOver: (pairingId: string, askedAt: number) => boolean;
  /** Puts the rights of an assistant in force that are stored with the stamp that is answered. */
  admit: (assistantId: string) => string;
  /** An assistant or a request to be let in never counts again. */
  end: (...ids: string[]) => void;
  /** Holds every assistant until the person lets it go on. */
  hold: () => void;
};

/** What the lines of the file say together, and where they end. */
type AccessState = {
  readonly file: string;
  readonly disk: Disk;
  readonly admitted: Set<string>;
  readonly gone: Set<string>;
  readonly stamps: Map<string, string>;
  heldAt: number | null;
  end: { sum: string; bytes: number };
};

export const openAccessLog = (context: AccessLogContext): AccessLog => {
  const { dataDir, now } = context;
  const state: AccessState = {
    file: accessFile(dataDir),
    disk: context.disk ?? systemDisk,
    admitted: new Set(),
    gone: new Set(),
    stamps: new Map(),
    heldAt: null,
    end: { sum: sumBefore, bytes: 0 },
  };
  const { gone, admitted, stamps } = state;
  const { wasMade } = open(state, context);
  return {
    wasMade,
    isGone: (assistantId) => gone.has(assistantId) || !admitted.has(assistantId),
    isHeld: ({ id, stamp }) => stamp === null || stamps.get(id) !== stamp,
    isOver: (pairingId, askedAt) => gone.has(pairingId) || (state.heldAt !== null && askedAt <= state.heldAt),
    admit: (assistantId) => {
      const stamp = randomUUID();
      append(state, { kind: 'let', id: assistantId, stamp });
      return stamp;
    },
    end: (...ids) => {
      if (ids.length > 0) append(state, ...ids.map((id): AccessLine => ({ kind: 'gone', id })));
    },
    hold: () => append(state, { kind: 'held', at: now() }),
  };
};

const take = (state: AccessState, lines: readonly AccessLine[]): void => {
  for (const line of lines) {
    if (line.kind === 'begun') for (const id of line.known) state.admitted.add(id);
    if (line.kind === 'let') {
      state.admitted.add(line.id);
      state.stamps.set(line.id, line.stamp);
    }
    if (line.kind === 'gone') state.gone.add(line.id);
    if (line.kind === 'held') {
      state.stamps.clear();
      state.heldAt = line.at;
    }
  }
};

/** What takes away holds from here on, also where there is no room to write it down. */
const append = (state: AccessState, ...lines: AccessLine[]): void => {
  const { file, end, disk } = state;
  const takesAway = lines.filter(({ kind }) => kind === 'gone' || kind === 'held');
  take(state, takesAway);
  // Somebody took the file away while the companion runs: everything in it is known here.
  if (!existsSync(file)) return begin(state, [...everything(state), ...lines]);
  const { text, sum } = written(end.sum, lines);
  appendWhole({ file, disk }, end.bytes, text);
  state.end = { sum, bytes: end.bytes + Buffer.byteLength(text) };
  take(state, lines);
};

const begin = (state: AccessState, lines: readonly AccessLine[]): void => {
  const { text, sum } = written(sumBefore, lines);
  writeFileWhole(state.file, text, state.disk);
  state.end = { sum, bytes: Buffer.byteLength(text) };
  take(state, lines);
};

const everything = ({ admitted, gone, stamps, heldAt }: AccessState): AccessLine[] => [
  { kind: 'begun', known: [...admitted] },
  ...(heldAt === null ? [] : [{ kind: 'held' as const, at: heldAt }]),
  ...[...gone].map((id): AccessLine => ({ kind: 'gone', id })),
  ...[...stamps].map(([id, stamp]): AccessLine => ({ kind: 'let', id, stamp })),
];

type Opened = Pick<AccessLog, 'wasMade'>;

/** A first file takes everybody as they are; one that takes the place of a lost one holds everybody. */
const beginAnew = (
  state: AccessState,
  { assistants, isRestored, now }: AccessLogContext,
  known: readonly AccessLine[],
  isFirst: boolean,
): Opened => {
  const ids = isRestored ? [] : assistants.map(({ id }) => id);
  const held: AccessLine[] = isFirst ? [] : [{ kind: 'held', at: now() }];
  begin(state, [{ kind: 'begun', known: ids }, ...known, ...held]);
  return { wasMade: isFirst };
};

const open = (state: AccessState, context: AccessLogContext): Opened => {
  const { file } = state;
  const { assistants, log, now } = context;
  if (!existsSync(file)) {
    const isFirst = assistants.every(({ stamp }) => stamp === null);
    if (!isFirst) log('error', 'the file of who is let in is missing: all assistants are paused');
    return beginAnew(state, context, [], isFirst);
  }
  const read = readLines(readWhole(file));
  if (read.isDamaged) {
    log('error', 'the file of who is let in is damaged: all assistants are paused');
    putInPlaceSync(file, `${file}.damaged-${now()}`, state.disk);
    return beginAnew(state, context, read.lines, false);
  }
  take(state, read.lines);
  state.end = read;
  return { wasMade: false };
};

/** Reads the file, and nothing that stands in its place: who was sent away would be forgotten. */
const readWhole = (file: string): string => {
  if (!statSync(file).isFile()) throw problem('ACCESS_FILE_UNREADABLE');
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw problem('ACCESS_FILE_UNREADABLE', { cause: error });
  }
};

/** Writes after the lines that are whole, and takes back what did not become whole. */
const appendWhole = ({ file, disk }: Pick<AccessState, 'file' | 'disk'>, at: number, text: string): void => {
  const opened = retryHeldSync(disk, () => disk.openSync(file, 'r+'));
  try {
    try {
      writeSync(opened, Buffer.from(text), 0, undefined, at);
      disk.fsyncSync(opened);
    } catch (error) {
      ftruncateSync(opened, at);
      throw error;
    }
  } finally {
    closeSync(opened);
  }
};
