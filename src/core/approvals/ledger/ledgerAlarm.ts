import * as z from 'zod';
import type { Log, Secrets } from '../../base/ports.ts';
import { problemView } from '../../base/problem.ts';
import type { LedgerPlace } from '../../storage/tables/ledgerTable.ts';
import type { Ledger } from './ledger.ts';
import { keyFacts, type LedgerRow } from '../../storage/tables/ledgerRow.ts';
import { openVerifier } from './signatures.ts';

/** The name of the head in the keychain. */
const secretName = 'ledger-head';
const shape = z.object({ seq: z.int().positive(), hash: z.string() });

/** How far the ledger reached when that was last put into the keychain; null when that does not know. */
export const readHead = async (secrets: Secrets): Promise<LedgerPlace | null> => {
  const text = await secrets.get(secretName).catch(() => null);
  if (text === null) return null;
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    return null;
  }
};

type Parts = {
  secrets: Secrets;
  log: Log;
  end: () => LedgerPlace | null;
  /** While an alarm stands, the keychain keeps what the alarm is about. */
  isHeld: () => boolean;
};

/**
 * Puts into the keychain how far the ledger reaches. Nobody waits for it: one writing at a time, the newest wins, and one
 * that fails is logged once.
 */
export const createHeadKeeper = ({ secrets, log, end, isHeld }: Parts) => {
  let wanted: LedgerPlace | null = null;
  let writing: Promise<void> | null = null;
  let noted = false;
  let failed = false;

  const fail = (error: unknown): void => {
    if (!failed) log('warn', 'the end of the ledger could not be kept', { code: problemView(error).code });
    failed = true;
  };
  const write = async (): Promise<void> => {
    while (wanted) {
      const next: LedgerPlace = wanted;
      wanted = null;
      await secrets.set(secretName, JSON.stringify(next)).catch(fail);
    }
  };
  const look = (): void => {
    noted = false;
    if (isHeld()) return;
    try {
      wanted = end();
    } catch (error) {
      return fail(error);
    }
    writing ??= write().finally(() => {
      writing = null;
    });
  };

  return {
    /** The ledger has grown, perhaps in a transaction that is still open: it is looked at right after. */
    note: (): void => {
      if (noted) return;
      noted = true;
      queueMicrotask(look);
    },
    /** Settles when what was noted is written, or could not be. */
    settled: async (): Promise<void> => {
      await Promise.resolve();
      await writing;
    },
  };
};

/**
 * What the ledger cannot vouch for until the person has read it. `freshStart`: there is no database, and there was a
 * ledger on this computer. `cut`: rows are missing at its end. `rewritten`: a row
 * is not the one that was there. `rolledBack`: a copy took its place. `newKey`: the keychain no longer has the key.
 * `otherKey`: the newest rows are signed with a key that the keychain does not have. `changed`, `signature`, `unsigned`:
 * a row was changed, its signature does not fit, or it has none.
 */
const kinds = [
  'freshStart',
  'cut',
  'rewritten',
  'rolledBack',
  'newKey',
  'otherKey',
  'changed',
  'signature',
  'unsigned',
] as const;

const alarm = z.object({
  alarm: z.enum(kinds),
  /** How many rows there were when it was found. */
  rows: z.int(),
  /** How many rows there should be at least, by the keychain; null where it does not know. */
  keptRows: z.int().nullable(),
  keptHash: z.string().nullable(),
  /** The row that it is about. */
  row: z.int().nullable(),
  /** The name of the copy that took the ledger's place; null for none. */
  copy: z.string().nullable(),
});
export type AlarmFacts = z.infer<typeof alarm>;

/** An alarm as a window shows it; `at` is when it was found, in ms since 1970. */
export type LedgerAlarm = Omit<AlarmFacts, 'alarm' | 'keptHash'> & { kind: AlarmFacts['alarm']; at: number };

export const alarmView = ({ alarm: kind, rows, keptRows, row, copy }: AlarmFacts, at: number): LedgerAlarm => ({
  kind,
  rows,
  keptRows,
  row,
  copy,
  at,
});

/** Everything of an alarm that is not about its cause. */
export const noFacts = { keptRows: null, keptHash: null, row: null, copy: null };

export const alarmOf = (row: LedgerRow | null): AlarmFacts | null => alarm.safeParse(row?.facts).data ?? null;

const later = (a: LedgerRow | null, b: LedgerRow | null): LedgerRow | null => ((a?.seq ?? 0) > (b?.seq ?? 0) ? a : b);

/** The newest alarm in the ledger that the person has not acknowledged. */
export const openAlarm = (ledger: Ledger): { facts: AlarmFacts; at: number } | null => {
  const newest = later(ledger.newestOf('ledger.alarm'), ledger.newestOf('ledger.restored'));
  const acknowledged = ledger.newestOf('ledger.acknowledged');
  const facts = alarmOf(newest);
  return newest && facts && later(newest, acknowledged) === newest ? { facts, at: newest.at } : null;
};

/** The first row after one that the companion's own key did not sign. */
const firstOfOther = (ledger: Ledger, after: number): number | null => {
  const verifies = ledger.signer && openVerifier(ledger.signer.publicKey);
  if (!verifies) return null;
  for (let seq = after; ;) {
    const rows = ledger.some(seq, 500);
    const other = rows.find(({ hash, signature }) => signature === null || !verifies('row', hash, signature));
    if (other) return other.seq;
    if (rows.length < 500) return null;
    seq += rows.length;
  }
};

/** Whether the ledger was ever signed with a key of the system's keychain. */
const hadSystemKey = (ledger: Ledger): boolean =>
  ledger.ofKind('ledger.key').some(({ facts }) => keyFacts.safeParse(facts).data?.keychain === 'system');

/**
 * What is wrong with the ledger by what the keychain has kept of it: `head`, and the key unless it is a new one. `isFresh`:
 * the database holds nothing at all.
 */
export const compareWithKept = (
  ledger: Ledger,
  { head, wasKept, isFresh }: { head: LedgerPlace | null; wasKept: boolean; isFresh: boolean },
): AlarmFacts | null => {
  const rows = ledger.end()?.seq ?? 0;
  const kept = { ...noFacts, rows, keptRows: head?.seq ?? null, keptHash: head?.hash ?? null };
  if (head && isFresh) return { ...kept, alarm: 'freshStart' };
  if (head && rows < head.seq) return { ...kept, alarm: 'cut' };
  if (head && ledger.hashAt(head.seq) !== head.hash) return { ...kept, alarm: 'rewritten', row: head.seq };
  if (!wasKept)
    return ledger.signer?.keychain === 'system' && hadSystemKey(ledger) ? { ...kept, alarm: 'newKey' } : null;
  const row = head && firstOfOther(ledger, head.seq);
  return row === null ? null : { ...kept, alarm: 'otherKey', row };
};
