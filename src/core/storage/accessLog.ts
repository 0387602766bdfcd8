import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '../base/ports.ts';
import { problem } from '../base/problem.ts';
import { readLines, sumBefore, written, type AccessLine } from './accessLines.ts';

export type AccessLog = ReturnType<typeof openAccessLog>;

/** The file beside the database that no copy of the database holds, and no restore brings back. */
export const accessFile = (dataDir: string): string => join(dataDir, 'assistants-access.log');

type Assistant = { id: string; stamp: string | null };
type Parts = {
  dataDir: string;
  log: Log;
  now: () => number;
  /** The assistants of the database. */
  assistants: readonly Assistant[];
  /** Whether the database is a copy that was put in the place of another. */
  isRestored: boolean;
};

/**
 * Who is let in, as the database alone cannot say it: a copy that takes its place brings back whoever was let in when it
 * was made. An assistant is in force only where this file and the database agree, so older rights are held however they
 * came back; what was revoked or refused stays so for good. Each line is on the disk before what it is about is answered.
 * A file that is missing or damaged, too, holds everybody.
 */
export const openAccessLog = ({ dataDir, log, now, assistants, isRestored }: Parts) => {
  const file = accessFile(dataDir);
  const admitted = new Set<string>();
  const gone = new Set<string>();
  const stamps = new Map<string, string>();
  let heldAt: number | null = null;
  let wasMade = false;
  let end = { sum: sumBefore, bytes: 0 };

  const take = (line: AccessLine): void => {
    if (line.kind === 'begun') for (const id of line.known) admitted.add(id);
    if (line.kind === 'let') {
      admitted.add(line.id);
      stamps.set(line.id, line.stamp);
    }
    if (line.kind === 'gone') gone.add(line.id);
    if (line.kind === 'held') {
      stamps.clear();
      heldAt = line.at;
    }
  };

  /** What takes away holds from here on, also where there is no room to write it down. */
  const append = (...lines: AccessLine[]): void => {
    const takesAway = lines.filter(({ kind }) => kind === 'gone' || kind === 'held');
    takesAway.forEach(take);
    // Somebody took the file away while the companion runs: everything in it is known here.
    if (!existsSync(file)) return begin([...everything(), ...lines]);
    const { text, sum } = written(end.sum, lines);
    appendWhole(file, end.bytes, text);
    end = { sum, bytes: end.bytes + Buffer.byteLength(text) };
    lines.forEach(take);
  };
  const begin = (lines: readonly AccessLine[]): void => {
    const { text, sum } = written(sumBefore, lines);
    writeWhole(file, text);
    end = { sum, bytes: Buffer.byteLength(text) };
    lines.forEach(take);
  };

  const everything = (): AccessLine[] => [
    { kind: 'begun', known: [...admitted] },
    ...(heldAt === null ? [] : [{ kind: 'held' as const, at: heldAt }]),
    ...[...gone].map((id): AccessLine => ({ kind: 'gone', id })),
    ...[...stamps].map(([id, stamp]): AccessLine => ({ kind: 'let', id, stamp })),
  ];

  /** A first file takes everybody as they are; one that takes the place of a lost one holds everybody. */
  const beginAnew = (known: readonly AccessLine[], isFirst: boolean): void => {
    const ids = isRestored ? [] : assistants.map(({ id }) => id);
    const held: AccessLine[] = isFirst ? [] : [{ kind: 'held', at: now() }];
    begin([{ kind: 'begun', known: ids }, ...known, ...held]);
    wasMade = isFirst;
  };

  const open = (): void => {
    if (!existsSync(file)) {
      const isFirst = assistants.every(({ stamp }) => stamp === null);
      if (!isFirst) log('error', 'the file of who is let in is missing: all assistants are paused');
      return beginAnew([], isFirst);
    }
    const read = readLines(readWhole(file));
    if (read.isDamaged) {
      log('error', 'the file of who is let in is damaged: all assistants are paused');
      renameSync(file, `${file}.damaged-${now()}`);
      return beginAnew(read.lines, false);
    }
    read.lines.forEach(take);
    end = read;
  };
  open();

  return {
    /** Whether there was no such file before, nor an assistant that could have been in one. */
    wasMade,
    /** Whether an assistant was revoked, or was never let in as far as this file knows. */
    isGone: (assistantId: string): boolean => gone.has(assistantId) || !admitted.has(assistantId),
    /** Whether the rights that the database has of an assistant are not those that the person gave it last. */
    isHeld: ({ id, stamp }: Assistant): boolean => stamp === null || stamps.get(id) !== stamp,
    /** Whether a request to be let in was answered, used, or made before everybody was held. */
    isOver: (pairingId: string, askedAt: number): boolean =>
      gone.has(pairingId) || (heldAt !== null && askedAt <= heldAt),
    /** Puts the rights of an assistant in force that are stored with this stamp. */
    letIn: (assistantId: string): string => {
      const stamp = randomUUID();
      append({ kind: 'let', id: assistantId, stamp });
      return stamp;
    },
    /** An assistant or a request to be let in never counts again. */
    end: (...ids: string[]): void => {
      if (ids.length > 0) append(...ids.map((id): AccessLine => ({ kind: 'gone', id })));
    },
    /** Holds every assistant until the person lets it go on. */
    hold: (): void => append({ kind: 'held', at: now() }),
  };
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
const appendWhole = (file: string, at: number, text: string): void => {
  const opened = openSync(file, 'r+');
  try {
    try {
      writeSync(opened, Buffer.from(text), 0, undefined, at);
      fsyncSync(opened);
    } catch (error) {
      ftruncateSync(opened, at);
      throw error;
    }
  } finally {
    closeSync(opened);
  }
};

/** Writes a file that is there whole or not at all. */
const writeWhole = (file: string, text: string): void => {
  const part = `${file}.part`;
  const opened = openSync(part, 'w', 0o600);
  try {
    writeFileSync(opened, text);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  renameSync(part, file);
  // A folder cannot be synchronised on every system; there the name reaches the disk a moment later.
  try {
    const folder = openSync(dirname(file), 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    return;
  }
};
