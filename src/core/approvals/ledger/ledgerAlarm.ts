import * as z from 'zod';
import type { Log, Secrets } from '../../base/ports.ts';
import { toProblemView } from '../../base/problem.ts';
import type { LedgerPosition } from '../../storage/tables/ledger/ledgerTable.ts';
import type { Ledger } from './ledger.ts';
import { keyFacts, type LedgerRow } from '../../storage/tables/ledger/ledgerRow.ts';
import { openVerifier } from './signatures.ts';

const secretName = 'ledger-head';
const positionShape = z.object({ seq: z.int().min(0), hash: z.string() });

/** Returns the number and hash of a ledger row from the keychain; null if they are missing or unreadable. */
export const readStoredPosition = async (secrets: Secrets, name: string): Promise<LedgerPosition | null> => {
  const text = await secrets.get(name).catch(() => null);
  if (text === null) return null;
  try {
    return positionShape.parse(JSON.parse(text));
  } catch {
    return null;
  }
};

/** Returns the number and hash of the last ledger row; null if the keychain does not know them. */
export const readStoredHead = async (secrets: Secrets): Promise<LedgerPosition | null> => {
  const head = await readStoredPosition(secrets, secretName);
  return head?.seq === 0 ? null : head;
};

type HeadKeeperContext = {
  secrets: Secrets;
  log: Log;
  end: () => LedgerPosition | null;
  /** Returns whether an alarm is open. While it is open, the stored head must not be overwritten. */
  isAlarmOpen: () => boolean;
};

/** Stores the number and hash of the last row in the keychain. Only the latest value is written. */
export const createHeadWriter = ({ secrets, log, end, isAlarmOpen }: HeadKeeperContext) => {
  let wanted: LedgerPosition | null = null;
  let writing: Promise<void> | null = null;
  let noted = false;
  let failed = false;

  const logFirstFailure = (error: unknown): void => {
    if (!failed) log('warn', 'ledger head could not be stored in the keychain', { code: toProblemView(error).code });
    failed = true;
  };
  const writeNewestHead = async (): Promise<void> => {
    while (wanted) {
      const next: LedgerPosition = wanted;
      wanted = null;
      await secrets.set(secretName, JSON.stringify(next)).catch(logFirstFailure);
    }
  };
  const startHeadWrite = (): void => {
    noted = false;
    if (isAlarmOpen()) return;
    try {
      wanted = end();
    } catch (error) {
      return logFirstFailure(error);
    }
    writing ??= writeNewestHead().finally(() => {
      writing = null;
    });
  };

  return {
    /** Schedules a write. A microtask reads the last row, because the current transaction might still be open. */
    note: (): void => {
      if (noted) return;
      noted = true;
      queueMicrotask(startHeadWrite);
    },
    /** Resolves after the latest write succeeds or fails. */
    settled: async (): Promise<void> => {
      await Promise.resolve();
      await writing;
    },
  };
};

/**
 * Reasons why the ledger cannot be trusted until the person acknowledges the alarm.
 * `freshStart`: the database is empty, but the keychain contains a ledger head. `cut`: the last rows are missing.
 * `rewritten`: a row was replaced. `rolledBack`: a backup was restored. `newKey`: the keychain lost the signing key.
 * `otherKey`: the newest rows are signed with a key that the keychain does not contain.
 * `changed`, `signature`, `unsigned`: a row was changed, has a wrong signature, or has no signature.
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

const alarmShape = z.object({
  alarm: z.enum(kinds),
  rows: z.int(),
  /** The number of rows according to the keychain; null if unknown. */
  keptRows: z.int().nullable(),
  keptHash: z.string().nullable(),
  row: z.int().nullable(),
  copy: z.string().nullable(),
});
export type AlarmFacts = z.infer<typeof alarmShape>;

/** `at` is when the alarm was raised, in ms since 1970. */
export type LedgerAlarm = Omit<AlarmFacts, 'alarm' | 'keptHash'> & { kind: AlarmFacts['alarm']; at: number };

export const toAlarmView = ({ alarm: kind, rows, keptRows, row, copy }: AlarmFacts, at: number): LedgerAlarm => ({
  kind,
  rows,
  keptRows,
  row,
  copy,
  at,
});

export const emptyAlarmFacts = { keptRows: null, keptHash: null, row: null, copy: null };

export const parseAlarmFacts = (row: LedgerRow | null): AlarmFacts | null =>
  alarmShape.safeParse(row?.facts).data ?? null;

const pickLaterRow = (a: LedgerRow | null, b: LedgerRow | null): LedgerRow | null =>
  (a?.seq ?? 0) > (b?.seq ?? 0) ? a : b;

/** Another program can add a row of any kind, but cannot sign it. */
export const findNewestOwn = (ledger: Ledger, kind: string): LedgerRow | null =>
  ledger.ofKind(kind).find(ledger.isOwn) ?? null;

/** Returns the newest alarm that the person has not acknowledged. */
export const findOpenAlarm = (ledger: Ledger): { facts: AlarmFacts; at: number } | null => {
  const newest = pickLaterRow(findNewestOwn(ledger, 'ledger.alarm'), findNewestOwn(ledger, 'ledger.restored'));
  const acknowledged = findNewestOwn(ledger, 'ledger.acknowledged');
  const facts = parseAlarmFacts(newest);
  return newest && facts && pickLaterRow(newest, acknowledged) === newest ? { facts, at: newest.at } : null;
};

const findFirstInvalidRow = (ledger: Ledger, after: number): number | null => {
  const verifies = ledger.signer && openVerifier(ledger.signer.publicKey);
  if (!verifies) return null;
  for (let seq = after; ;) {
    const rows = ledger.readRowsAfter(seq, 500);
    const other = rows.find(({ hash, signature }) => signature === null || !verifies('row', hash, signature));
    if (other) return other.seq;
    if (rows.length < 500) return null;
    seq += rows.length;
  }
};

const hadSystemKeychainKey = (ledger: Ledger): boolean =>
  ledger.ofKind('ledger.key').some(({ facts }) => keyFacts.safeParse(facts).data?.keychain === 'system');

/** Compares the ledger with the keychain. `isFresh` means that the database is empty. */
export const findKeychainAlarm = (
  ledger: Ledger,
  { head, wasKept, isFresh }: { head: LedgerPosition | null; wasKept: boolean; isFresh: boolean },
): AlarmFacts | null => {
  const rows = ledger.end()?.seq ?? 0;
  const kept = { ...emptyAlarmFacts, rows, keptRows: head?.seq ?? null, keptHash: head?.hash ?? null };
  if (head && isFresh) return { ...kept, alarm: 'freshStart' };
  if (head && rows < head.seq) return { ...kept, alarm: 'cut' };
  if (head && ledger.hashAt(head.seq) !== head.hash) return { ...kept, alarm: 'rewritten', row: head.seq };
  if (!wasKept)
    return ledger.signer?.keychain === 'system' && hadSystemKeychainKey(ledger) ? { ...kept, alarm: 'newKey' } : null;
  const row = head && findFirstInvalidRow(ledger, head.seq);
  return row === null ? null : { ...kept, alarm: 'otherKey', row };
};
