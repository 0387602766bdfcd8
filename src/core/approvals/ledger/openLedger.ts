import type { Log, Secrets, Changed, Clock } from '../../base/ports.ts';
import { toProblemView, findDiskProblem } from '../../base/problem.ts';
import { createPrivateKeyText, openSigner, type Signer } from './signatures.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import type { Db } from '../../storage/database.ts';
import { restoredSettingName } from '../../storage/restore.ts';
import type { SettingsTable } from '../../storage/tables/settingsTable.ts';
import { createLedger, maxRowsInSteps, type Ledger, type OnAppended } from './ledger.ts';
import type { LedgerPosition } from '../../storage/tables/ledger/ledgerTable.ts';
import { breaksChain, createChainCheck, nothingChecked, type ChainFinding, type LedgerReport } from './chainCheck.ts';
import {
  parseAlarmFacts,
  toAlarmView,
  findKeychainAlarm,
  emptyAlarmFacts,
  findOpenAlarm,
  type AlarmFacts,
  type LedgerAlarm,
  createHeadWriter,
  findNewestOwn,
  readStoredHead,
} from './ledgerAlarm.ts';

const secretName = 'ledger-key';

/** `wasKept` means that the keychain already had the key. */
export type LedgerKey = { signer: Signer; wasKept: boolean };

const readStoredSigner = async (secrets: Secrets): Promise<Signer | null> => {
  const text = await secrets.get(secretName);
  if (text === null) return null;
  try {
    return openSigner(text, secrets.kind);
  } catch {
    // The stored value is not a key, so a new key is created and recorded in the ledger.
    return null;
  }
};

/** If the keychain is unavailable, the signing key exists only during this run. */
const readOrCreateLedgerKey = async (secrets: Secrets, log: Log): Promise<LedgerKey> => {
  const made = createPrivateKeyText();
  try {
    const signer = await readStoredSigner(secrets);
    if (signer) return { signer, wasKept: true };
    await secrets.set(secretName, made);
    return { signer: openSigner(made, secrets.kind), wasKept: false };
  } catch (error) {
    log('warn', 'ledger signing key is temporary for this run', { code: toProblemView(error).code });
    return { signer: openSigner(made, 'memory'), wasKept: false };
  }
};

/** Rows of unfinished approvals do not update the head in the keychain, because the final row updates it. */
const unfinishedKinds = new Set([
  'approval.asked',
  'approval.shown',
  'approval.approve',
  'approval.send',
  'approval.first_sent',
]);
const maxRowsPerChunk = 50;
const maxStopMs = 2_000;

const restoreMark = z.object({ copy: z.string().nullable() });

/** These alarms mean that the database is outdated or was replaced. */
const replacedDatabaseAlarms = new Set<AlarmFacts['alarm']>(['freshStart', 'cut', 'rewritten', 'otherKey']);

const writeUnlessDiskFull = (work: () => void): boolean => {
  try {
    work();
    return true;
  } catch (error) {
    if (findDiskProblem(error) === null) throw error;
    return false;
  }
};

type OpenLedgerContext = {
  db: Db;
  /** Whether the database was empty when it was opened. */
  isFresh: boolean;
  settings: SettingsTable;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  changed: Changed;
  onAppended: OnAppended;
  /** Called if the database is outdated or was replaced, before the alarm is stored. */
  onOlderDatabase: () => void;
  /** Checks all rows in a thread. Resolves to null if the check was stopped. */
  checkInThread: (signal: AbortSignal) => Promise<LedgerReport | null>;
};

export type OpenedLedger = {
  ledger: Ledger;
  signing: Pick<Signer, 'fingerprint' | 'keychain'>;
  alarm: () => LedgerAlarm | null;
  /** Acknowledges the alarm. Its record stays in the ledger. */
  acknowledge: () => void;
  /** Checks every row and its signature, in small chunks or in a thread, so that other work can run meanwhile. */
  check: () => Promise<void>;
  stop: () => Promise<void>;
};

type AlarmState = {
  alarm: { facts: AlarmFacts; at: number } | null;
  /** What was found while another alarm was open. It becomes an alarm when the person acknowledges that one. */
  later: ChainFinding | null;
  /** True if the suspension of assistants is not stored yet. Until then, the head in the keychain must not change. */
  owesSuspension: boolean;
};

type LedgerContext = OpenLedgerContext & { chain: Ledger; state: AlarmState };

/** Opens the ledger and compares it with the head in the keychain. */
export const openLedger = async (parts: OpenLedgerContext): Promise<OpenedLedger> => {
  const { db, secrets, clock, log } = parts;
  const [{ signer, wasKept }, head] = await Promise.all([readOrCreateLedgerKey(secrets, log), readStoredHead(secrets)]);
  const state: AlarmState = { alarm: null, later: null, owesSuspension: false };
  const keeper = createHeadWriter({
    secrets,
    log,
    end: () => chain.end(),
    isAlarmOpen: () => state.owesSuspension || (state.alarm !== null && state.alarm.facts.keptRows !== null),
  });
  const noteAppended: OnAppended = (kind, facts, isStored) => {
    parts.onAppended(kind, facts, isStored);
    if (!unfinishedKinds.has(kind)) keeper.note();
  };
  const chain: Ledger = createLedger(db, signer, noteAppended, {
    onBroken: (row) => {
      log('error', 'the ledger is broken', { row });
      parts.changed('approvals');
      raiseAlarmOnce(context, { row, fault: 'hash' });
    },
    checkLongLedger: () => checkRows.checkInThread(),
  });
  const context: LedgerContext = { ...parts, chain, state };
  compareLedgerWithHead(context, head, wasKept);
  if (chain.end() !== null) keeper.note();
  const checkRows = createRowChecker(context);
  return {
    ledger: chain,
    signing: { fingerprint: signer.fingerprint, keychain: signer.keychain },
    alarm: () => state.alarm && toAlarmView(state.alarm.facts, state.alarm.at),
    acknowledge: () => acknowledgeAlarm(context),
    check: checkRows.run,
    stop: async () => {
      await checkRows.stop();
      const ended = new AbortController();
      const late = clock.sleep(maxStopMs, ended.signal).catch(() => undefined);
      await Promise.race([keeper.settled(), late]);
      ended.abort();
    },
  };
};

/** An alarm that cannot be stored lasts only for this run. The next start finds its reason again. */
const storeAlarm = (log: Log, store: () => void): void => {
  try {
    store();
  } catch (error) {
    log('warn', 'the alarm of the ledger could not be stored', { code: toProblemView(error).code });
  }
};

const raiseLedgerAlarm = (
  context: LedgerContext,
  kind: 'ledger.alarm' | 'ledger.restored',
  facts: AlarmFacts,
): void => {
  const { db, settings, clock, log, changed, chain, state } = context;
  const at = clock.now();
  state.alarm = { facts, at };
  log('error', 'ledger check failed', { alarm: facts.alarm, rows: facts.rows });
  if (!state.owesSuspension)
    storeAlarm(log, () =>
      db.transaction(() => {
        chain.append(at, kind, facts);
        settings.remove(restoredSettingName);
      })(),
    );
  for (const topic of ['app', 'approvals'] as const) changed(topic);
};

/** Must run before anything is written to the ledger. */
const compareLedgerWithHead = (context: LedgerContext, head: LedgerPosition | null, wasKept: boolean): void => {
  const { settings, onOlderDatabase, chain, state, isFresh } = context;
  state.alarm = findOpenAlarm(chain);
  const found = findKeychainAlarm(chain, { head, wasKept, isFresh });
  const from = settings.read(restoredSettingName, restoreMark);
  const isNews = found !== null && !isSameAlarm(state.alarm?.facts ?? null, found) && !wasHeadAcknowledged(chain, head);
  if (from || (isNews && replacedDatabaseAlarms.has(found.alarm)))
    state.owesSuspension = !writeUnlessDiskFull(onOlderDatabase);
  if (from) {
    const kept = { ...emptyAlarmFacts, keptRows: head?.seq ?? null, keptHash: head?.hash ?? null };
    raiseLedgerAlarm(context, 'ledger.restored', {
      ...kept,
      alarm: 'rolledBack',
      rows: chain.end()?.seq ?? 0,
      copy: from.copy,
    });
  } else if (isNews) {
    raiseLedgerAlarm(context, 'ledger.alarm', found);
  }
};

const acknowledgeAlarm = (context: LedgerContext): void => {
  const { settings, onOlderDatabase, clock, changed, chain, state } = context;
  if (!state.alarm) return;
  if (state.owesSuspension) {
    onOlderDatabase();
    state.owesSuspension = false;
    settings.remove(restoredSettingName);
  }
  chain.append(clock.now(), 'ledger.acknowledged', state.alarm.facts);
  state.alarm = null;
  for (const topic of ['app', 'approvals'] as const) changed(topic);
  const { later } = state;
  state.later = null;
  if (later) raiseAlarmOnce(context, later);
};

const isSameAlarm = (open: AlarmFacts | null, found: AlarmFacts): boolean =>
  open !== null &&
  (found.keptHash === null ? open.alarm === found.alarm && open.row === found.row : open.keptHash === found.keptHash);

/** Returns whether the person acknowledged the alarm about this head but the keychain was not updated afterwards. */
const wasHeadAcknowledged = (chain: Ledger, head: LedgerPosition | null): boolean =>
  head !== null && parseAlarmFacts(findNewestOwn(chain, 'ledger.acknowledged'))?.keptHash === head.hash;

const getAlarmKind = (finding: ChainFinding): AlarmFacts['alarm'] => {
  if (finding.fault === 'unsigned') return 'unsigned';
  return breaksChain(finding) ? 'changed' : 'signature';
};

/** Raises no alarm that is open or that the person has acknowledged. A second finding waits for the first one. */
const raiseAlarmOnce = (context: LedgerContext, finding: ChainFinding): void => {
  const { chain, state } = context;
  const rows = chain.end()?.seq ?? 0;
  const facts = { ...emptyAlarmFacts, alarm: getAlarmKind(finding), rows, row: finding.row };
  const isAcknowledged = chain
    .ofKind('ledger.acknowledged')
    .some((row) => chain.isOwn(row) && isSameAlarm(parseAlarmFacts(row), facts));
  if (isAcknowledged || isSameAlarm(state.alarm?.facts ?? null, facts)) return;
  if (state.alarm) state.later ??= finding;
  else raiseLedgerAlarm(context, 'ledger.alarm', facts);
};

const createRowChecker = (context: LedgerContext) => {
  const { chain, log, checkInThread } = context;
  const ended = new AbortController();
  let checking: Promise<LedgerReport | null> = Promise.resolve(null);
  const checkLongLedger = async (): Promise<LedgerReport | null> => {
    checking = checkInThread(ended.signal).catch((error: unknown) => {
      log('warn', 'the ledger could not be checked in a thread', { code: toProblemView(error).code });
      return nothingChecked;
    });
    const report = await checking;
    if (ended.signal.aborted) return null;
    if (report?.fault) raiseAlarmOnce(context, report.fault);
    return report;
  };
  const checkAllRows = async (): Promise<void> => {
    const check = createChainCheck();
    for (let [seq, more] = [0, true]; more;) {
      await nextTurn();
      if (ended.signal.aborted) return;
      const rows = chain.readRowsAfter(seq, maxRowsPerChunk);
      const [first] = rows.flatMap(check.checkRow);
      if (first) return raiseAlarmOnce(context, first);
      seq = rows.at(-1)?.seq ?? seq;
      more = rows.length === maxRowsPerChunk;
    }
  };
  return {
    run: async (): Promise<void> => {
      chain.findFirstBroken();
      if ((chain.end()?.seq ?? 0) <= maxRowsInSteps) await checkAllRows();
    },
    checkInThread: checkLongLedger,
    /** Waits for the thread, because SQLite removes its log only when the last connection that can write closes it. */
    stop: async (): Promise<void> => {
      ended.abort();
      await checking;
    },
  };
};
