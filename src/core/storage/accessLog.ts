import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { closeSync, existsSync, ftruncateSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '../../disk/changeFiles.ts';
import { retryWhileFileOpenSync, systemDisk, type Disk } from '../../disk/disk.ts';
import type { Log } from '../base/ports.ts';
import { createProblem } from '../base/problem.ts';
import { writeFileAtomically } from './fileSteps.ts';

/**
 * `begun`: the first line; `known` are the assistants that have access. `let`: the rights of an assistant are valid if
 * its row has this stamp. `gone`: an assistant or pairing has ended for good. `held`: all rights are suspended.
 */
export const accessLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begun'), known: z.array(z.string()) }),
  z.object({ kind: z.literal('let'), id: z.string(), stamp: z.string() }),
  z.object({ kind: z.literal('gone'), id: z.string() }),
  z.object({ kind: z.literal('held'), at: z.int() }),
]);
export type AccessLine = z.infer<typeof accessLine>;

export const initialChecksum = '0'.repeat(16);
const computeLineChecksum = (before: string, text: string): string =>
  createHash('sha256').update(`${before} ${text}`).digest('hex').slice(0, initialChecksum.length);

/** Formats lines that follow a line with the checksum `before`. Returns the last checksum as `sum`. */
export const formatAccessLines = (before: string, lines: readonly AccessLine[]): { text: string; sum: string } => {
  let [text, sum] = ['', before];
  for (const line of lines) {
    const json = JSON.stringify(line);
    sum = computeLineChecksum(sum, json);
    text += `${sum} ${json}\n`;
  }
  return { text, sum };
};

const parseAccessLine = (json: string): AccessLine | null => {
  try {
    return accessLine.parse(JSON.parse(json));
  } catch {
    return null;
  }
};

/** If the file is damaged, `lines` contains only its `gone` lines. */
export type ParsedAccessLog = { isDamaged: boolean; lines: AccessLine[]; sum: string; bytes: number };

/** Parses the file. The checksum of each line covers the line and all lines before it. */
export const parseAccessLog = (text: string): ParsedAccessLog => {
  const rows = text.split('\n');
  const torn = rows.pop();
  const lines: AccessLine[] = [];
  let sum = initialChecksum;
  for (const row of rows) {
    const json = row.slice(initialChecksum.length + 1);
    const line = parseAccessLine(json);
    if (line === null || row !== `${computeLineChecksum(sum, json)} ${json}`) return parseOnlyRevocations(rows);
    lines.push(line);
    sum = computeLineChecksum(sum, json);
  }
  // An incomplete line might be a revocation that the person believes to be done, so the file counts as damaged.
  if (torn !== '' || lines[0]?.kind !== 'begun') return parseOnlyRevocations(rows);
  return { isDamaged: false, lines, sum, bytes: Buffer.byteLength(text) };
};

const parseOnlyRevocations = (rows: readonly string[]): ParsedAccessLog => {
  const lines = rows.map((row) => parseAccessLine(row.slice(initialChecksum.length + 1)));
  return { isDamaged: true, lines: lines.filter((line) => line?.kind === 'gone'), sum: initialChecksum, bytes: 0 };
};

/** Returns the path of the access log, which no backup contains. */
export const getAccessLogPath = (dataDir: string): string => join(dataDir, 'assistants-access.log');

type AssistantStamp = { id: string; stamp: string | null };
type AccessLogContext = {
  dataDir: string;
  log: Log;
  now: () => number;
  assistants: readonly AssistantStamp[];
  isRestoredDatabase: boolean;
  disk?: Disk;
};

/**
 * Records which assistants have access, outside the database, because a restored backup brings back revoked access. If
 * the file is missing or damaged, all assistants are suspended.
 */
export type AccessLog = {
  isFirstLog: boolean;
  /** Returns whether an assistant was revoked, or never got access according to this file. */
  isGone: (assistantId: string) => boolean;
  /** Returns whether the person must confirm the rights again, because the given stamp is no longer valid. */
  isSuspended: (assistant: AssistantStamp) => boolean;
  /** Returns whether a pairing has ended, or was requested before all assistants were suspended. */
  isPairingOver: (pairingId: string, askedAt: number) => boolean;
  /** Grants an assistant its rights and returns the stamp to store with them. */
  admit: (assistantId: string) => string;
  end: (...ids: string[]) => void;
  suspendAll: () => void;
};

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
    file: getAccessLogPath(dataDir),
    disk: context.disk ?? systemDisk,
    admitted: new Set(),
    gone: new Set(),
    stamps: new Map(),
    heldAt: null,
    end: { sum: initialChecksum, bytes: 0 },
  };
  const { gone, admitted, stamps } = state;
  const { isFirstLog } = openAccessLogFile(state, context);
  return {
    isFirstLog,
    isGone: (assistantId) => gone.has(assistantId) || !admitted.has(assistantId),
    isSuspended: ({ id, stamp }) => stamp === null || stamps.get(id) !== stamp,
    isPairingOver: (pairingId, askedAt) => gone.has(pairingId) || (state.heldAt !== null && askedAt <= state.heldAt),
    admit: (assistantId) => {
      const stamp = randomUUID();
      appendAccessLines(state, { kind: 'let', id: assistantId, stamp });
      return stamp;
    },
    end: (...ids) => {
      if (ids.length > 0) appendAccessLines(state, ...ids.map((id): AccessLine => ({ kind: 'gone', id })));
    },
    suspendAll: () => appendAccessLines(state, { kind: 'held', at: now() }),
  };
};

const applyAccessLines = (state: AccessState, lines: readonly AccessLine[]): void => {
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

/** A revocation applies in memory even if it cannot be written. */
const appendAccessLines = (state: AccessState, ...lines: AccessLine[]): void => {
  const { file, end, disk } = state;
  const takesAway = lines.filter(({ kind }) => kind === 'gone' || kind === 'held');
  applyAccessLines(state, takesAway);
  // If the file was deleted while the companion was running, it is written again.
  if (!existsSync(file)) return rewriteAccessLog(state, [...listCurrentAccessLines(state), ...lines]);
  const { text, sum } = formatAccessLines(end.sum, lines);
  appendWithRollback({ file, disk }, end.bytes, text);
  state.end = { sum, bytes: end.bytes + Buffer.byteLength(text) };
  applyAccessLines(state, lines);
};

const rewriteAccessLog = (state: AccessState, lines: readonly AccessLine[]): void => {
  const { text, sum } = formatAccessLines(initialChecksum, lines);
  writeFileAtomically(state.file, text, state.disk);
  state.end = { sum, bytes: Buffer.byteLength(text) };
  applyAccessLines(state, lines);
};

const listCurrentAccessLines = ({ admitted, gone, stamps, heldAt }: AccessState): AccessLine[] => [
  { kind: 'begun', known: [...admitted] },
  ...(heldAt === null ? [] : [{ kind: 'held' as const, at: heldAt }]),
  ...[...gone].map((id): AccessLine => ({ kind: 'gone', id })),
  ...[...stamps].map(([id, stamp]): AccessLine => ({ kind: 'let', id, stamp })),
];

type AccessLogOpening = Pick<AccessLog, 'isFirstLog'>;

/**
 * Creates the file. Existing assistants keep their access unless the database was restored. If an earlier file was lost
 * or damaged, they are suspended.
 */
const createAccessLogFile = (
  state: AccessState,
  { assistants, isRestoredDatabase, now }: AccessLogContext,
  known: readonly AccessLine[],
  isFirst: boolean,
): AccessLogOpening => {
  const ids = isRestoredDatabase ? [] : assistants.map(({ id }) => id);
  const held: AccessLine[] = isFirst ? [] : [{ kind: 'held', at: now() }];
  rewriteAccessLog(state, [{ kind: 'begun', known: ids }, ...known, ...held]);
  return { isFirstLog: isFirst };
};

const openAccessLogFile = (state: AccessState, context: AccessLogContext): AccessLogOpening => {
  const { file } = state;
  const { assistants, log, now } = context;
  if (!existsSync(file)) {
    const isFirst = assistants.every(({ stamp }) => stamp === null);
    if (!isFirst) log('error', 'the access log is missing: all assistants are suspended');
    return createAccessLogFile(state, context, [], isFirst);
  }
  const read = parseAccessLog(readAccessLogFile(file));
  if (read.isDamaged) {
    log('error', 'the access log is damaged: all assistants are suspended');
    replaceFileSync(file, `${file}.damaged-${now()}`, state.disk);
    return createAccessLogFile(state, context, read.lines, false);
  }
  applyAccessLines(state, read.lines);
  state.end = read;
  return { isFirstLog: false };
};

/** Throws if the path is not a readable file, because later revocations could not be stored. */
const readAccessLogFile = (file: string): string => {
  if (!statSync(file).isFile()) throw createProblem('ACCESS_FILE_UNREADABLE');
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw createProblem('ACCESS_FILE_UNREADABLE', { cause: error });
  }
};

const appendWithRollback = ({ file, disk }: Pick<AccessState, 'file' | 'disk'>, at: number, text: string): void => {
  const opened = retryWhileFileOpenSync(disk, () => disk.openSync(file, 'r+'));
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
