import type { Log, Secrets, Changed, Clock } from '../../base/ports.ts';
import { problemView, diskProblem } from '../../base/problem.ts';
import { newPrivateKey, openSigner, type Signer, openVerifier } from './signatures.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import type { Db } from '../../storage/database.ts';
import { restoredName } from '../../storage/restore.ts';
import type { SettingsTable } from '../../storage/tables/settingsTable.ts';
import { ledger, type Ledger } from './ledger.ts';
import type { LedgerPlace } from '../../storage/tables/ledgerTable.ts';
import { createChainCheck, type ChainFault } from './chainCheck.ts';
import {
  alarmOf,
  alarmView,
  compareWithKept,
  noFacts,
  openAlarm,
  type AlarmFacts,
  type LedgerAlarm,
  createHeadKeeper,
  readHead,
} from './ledgerAlarm.ts';

const secretName = 'ledger-key';

/** The key that signs the ledger, and whether the keychain already had it. */
export type LedgerKey = { signer: Signer; wasKept: boolean };

const kept = async (secrets: Secrets): Promise<Signer | null> => {
  const text = await secrets.get(secretName);
  if (text === null) return null;
  try {
    return openSigner(text, secrets.kind);
  } catch {
    // The stored value is not a key: create a new key, which the ledger records.
    return null;
  }
};

/**
 * Reads the signing key from the keychain, or creates it at the first start. If the keychain is unavailable, the key
 * lives only for this run.
 */
const openLedgerKey = async (secrets: Secrets, log: Log): Promise<LedgerKey> => {
  const made = newPrivateKey();
  try {
    const signer = await kept(secrets);
    if (signer) return { signer, wasKept: true };
    await secrets.set(secretName, made);
    return { signer: openSigner(made, secrets.kind), wasKept: false };
  } catch (error) {
    log('warn', 'ledger signing key is temporary for this run', { code: problemView(error).code });
    return { signer: openSigner(made, 'memory'), wasKept: false };
  }
};

/** Rows of unfinished approvals do not update the head in the keychain; the final row does. */
const onTheWay = new Set(['approval.asked', 'approval.approve', 'approval.send', 'approval.first_sent']);
const rowsAtOnce = 50;
const longestStopMs = 2_000;

const restored = z.object({ copy: z.string().nullable() });

/** Alarms that mean that this database is older than the previous one, or a different database. */
const fromElsewhere = new Set<AlarmFacts['alarm']>(['freshStart', 'cut', 'rewritten', 'otherKey']);

/** Runs a write; returns false if the disk is full or failing. The alarm is then kept in memory for this run. */
const unlessDiskFull = (work: () => void): boolean => {
  try {
    work();
    return true;
  } catch (error) {
    if (diskProblem(error) === null) throw error;
    return false;
  }
};

type Parts = {
  db: Db;
  /** Whether the database was empty when it was opened. */
  isFresh: boolean;
  settings: SettingsTable;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  changed: Changed;
  /** Called before the alarm is stored if the database is older than before, or a different one. */
  cameBack: () => void;
};

export type OpenedLedger = {
  ledger: Ledger;
  /** The signing key as people compare it, and whether it outlives this run. */
  signing: Pick<Signer, 'fingerprint' | 'keychain'>;
  /** The alarm that the person has not acknowledged. */
  alarm: () => LedgerAlarm | null;
  /** Acknowledges the alarm: the loss stays recorded, and the ledger continues from here. */
  acknowledge: () => void;
  /** Checks every row and its signature in small chunks that yield to other work. */
  check: () => Promise<void>;
  stop: () => Promise<void>;
};

/** The state of the alarm in this run. */
type AlarmState = {
  alarm: { facts: AlarmFacts; at: number } | null;
  /**
   * The suspension could not be stored. Until it is, the keychain head and the restore mark must not be overwritten,
   * because the next start needs them.
   */
  owesHold: boolean;
};

type LedgerContext = Parts & { chain: Ledger; state: AlarmState };

/** Opens the ledger with its signing key, and compares it with the head in the keychain. */
export const openLedger = async (parts: Parts): Promise<OpenedLedger> => {
  const { db, secrets, clock, log } = parts;
  const [{ signer, wasKept }, head] = await Promise.all([openLedgerKey(secrets, log), readHead(secrets)]);
  const state: AlarmState = { alarm: null, owesHold: false };
  const keeper = createHeadKeeper({
    secrets,
    log,
    end: () => chain.end(),
    isHeld: () => state.owesHold || (state.alarm !== null && state.alarm.facts.keptRows !== null),
  });
  const chain: Ledger = ledger(db, signer, (kind) => {
    if (!onTheWay.has(kind)) keeper.note();
  });
  const context: LedgerContext = { ...parts, chain, state };
  begin(context, head, wasKept);
  if (chain.end() !== null) keeper.note();
  const checkRows = rowChecker(chain, (kind, facts) => raise(context, kind, facts));
  return {
    ledger: chain,
    signing: { fingerprint: signer.fingerprint, keychain: signer.keychain },
    alarm: () => state.alarm && alarmView(state.alarm.facts, state.alarm.at),
    acknowledge: () => acknowledge(context),
    check: checkRows.run,
    stop: async () => {
      checkRows.stop();
      const ended = new AbortController();
      const late = clock.sleep(longestStopMs, ended.signal).catch(() => undefined);
      await Promise.race([keeper.settled(), late]);
      ended.abort();
    },
  };
};

/** Records an alarm. If the row cannot be stored, the alarm lasts for this run. */
const raise = (context: LedgerContext, kind: 'ledger.alarm' | 'ledger.restored', facts: AlarmFacts): void => {
  const { db, settings, clock, log, changed, chain, state } = context;
  const at = clock.now();
  state.alarm = { facts, at };
  log('error', 'ledger check failed', { alarm: facts.alarm, rows: facts.rows });
  if (!state.owesHold)
    unlessDiskFull(() =>
      db.transaction(() => {
        chain.append(at, kind, facts);
        settings.remove(restoredName);
      })(),
    );
  for (const topic of ['app', 'approvals'] as const) changed(topic);
};

/** Compares the ledger with the keychain before anything is written. */
const begin = (context: LedgerContext, head: LedgerPlace | null, wasKept: boolean): void => {
  const { settings, cameBack, chain, state, isFresh } = context;
  state.alarm = openAlarm(chain);
  const found = compareWithKept(chain, { head, wasKept, isFresh });
  const from = settings.read(restoredName, restored);
  const isNews = found !== null && !isSameAlarm(state.alarm?.facts ?? null, found) && !isAcknowledged(chain, head);
  if (from || (isNews && fromElsewhere.has(found.alarm))) state.owesHold = !unlessDiskFull(cameBack);
  if (from) {
    const kept = { ...noFacts, keptRows: head?.seq ?? null, keptHash: head?.hash ?? null };
    raise(context, 'ledger.restored', { ...kept, alarm: 'rolledBack', rows: chain.end()?.seq ?? 0, copy: from.copy });
  } else if (isNews) {
    raise(context, 'ledger.alarm', found);
  }
};

const acknowledge = ({ settings, cameBack, clock, changed, chain, state }: LedgerContext): void => {
  if (!state.alarm) return;
  if (state.owesHold) {
    cameBack();
    state.owesHold = false;
    settings.remove(restoredName);
  }
  chain.append(clock.now(), 'ledger.acknowledged', state.alarm.facts);
  state.alarm = null;
  for (const topic of ['app', 'approvals'] as const) changed(topic);
};

/** Whether an open alarm already reports the same end or the same row. */
const isSameAlarm = (stands: AlarmFacts | null, found: AlarmFacts): boolean =>
  stands !== null &&
  (found.keptHash === null
    ? stands.alarm === found.alarm && stands.row === found.row
    : stands.keptHash === found.keptHash);

/** Whether the person acknowledged the difference from this head before the keychain could be updated. */
const isAcknowledged = (chain: Ledger, head: LedgerPlace | null): boolean => {
  const newest = chain.newestOf('ledger.acknowledged');
  const verifies = chain.signer && openVerifier(chain.signer.publicKey);
  return (
    head !== null &&
    alarmOf(newest)?.keptHash === head.hash &&
    verifies?.('row', newest?.hash ?? '', newest?.signature ?? '') === true
  );
};

const alarmOfFault = (fault: ChainFault): AlarmFacts['alarm'] => {
  if (fault === 'unsigned') return 'unsigned';
  return ['sequence', 'previous', 'hash'].includes(fault) ? 'changed' : 'signature';
};

/** Finds rows that were changed or signed by another key. Each alarm is raised once. */
const rowChecker = (chain: Ledger, raise: (kind: 'ledger.alarm', facts: AlarmFacts) => void) => {
  let stopped = false;
  const raiseOnce = (facts: AlarmFacts): void => {
    const isKnown = chain.ofKind('ledger.alarm').some((row) => isSameAlarm(alarmOf(row), facts));
    if (!isKnown) raise('ledger.alarm', facts);
  };
  const run = async (): Promise<void> => {
    const check = createChainCheck();
    for (let [seq, more] = [0, true]; more;) {
      await nextTurn();
      if (stopped) return;
      const rows = chain.some(seq, rowsAtOnce);
      const [first] = rows.flatMap(check.next);
      const end = chain.end()?.seq ?? 0;
      if (first) return raiseOnce({ ...noFacts, alarm: alarmOfFault(first.fault), rows: end, row: first.row });
      seq = rows.at(-1)?.seq ?? seq;
      more = rows.length === rowsAtOnce;
    }
  };
  return { run, stop: () => void (stopped = true) };
};
