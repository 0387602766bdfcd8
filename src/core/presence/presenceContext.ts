import type { Changed, Clock, Log, Secrets, ServiceTime } from '../base/ports.ts';
import type { DrawnCeremony, PromptsToProve } from './ceremonies.ts';
import type { ShownPrompt } from './windowSessions.ts';
import { createBoundedMap } from '../base/boundedMap.ts';

/** Records a refused attempt. Attempts with the same `kind` and `key` count together. */
export type RecordRefusal = (kind: string, key: string, facts: Record<string, unknown>) => void;

const countedMs = 60_000;
const maxCounted = 1_000;
const findNextRow = (count: number): number => (count === 1 ? 2 : count === 2 ? 10 : count * 10);

/**
 * Any program can repeat an attempt endlessly, so only the 1st, 2nd, 10th, 100th and so on of equal attempts within a
 * minute get a row, with their count.
 */
export const createRefusalRecorder = ({ record, clock }: Pick<PresenceContext, 'record' | 'clock'>): RecordRefusal => {
  const counted = createBoundedMap<string, { untilMs: number; count: number; nextRow: number }>(maxCounted);
  return (kind, key, facts) => {
    const name = `${kind} ${key}`;
    const before = counted.get(name);
    const isSameMinute = before !== undefined && clock.elapsedMs() < before.untilMs;
    const { untilMs, count, nextRow } = isSameMinute
      ? { ...before, count: before.count + 1 }
      : { untilMs: clock.elapsedMs() + countedMs, count: 1, nextRow: 1 };
    const hasRow = count === nextRow;
    counted.set(name, { untilMs, count, nextRow: hasRow ? findNextRow(count) : nextRow });
    if (hasRow) record(kind, count === 1 ? facts : { ...facts, count });
  };
};

/** The dialog of the operating system that asks for the fingerprint or password of its user (macOS). */
export type SystemPrompt = {
  /** Returns whether the person confirmed. The dialog says what it is for. */
  confirm: (drawn: DrawnCeremony) => Promise<boolean>;
};

/** The reminders that the person gets at each start. */
export type ProofReminder = 'proofsLost' | 'recoveryRuns';

export type PresenceContext = {
  dataDir: string;
  clock: Clock;
  /** Returns the time by the clock of the service; null if it is unknown. */
  readServiceTime: () => ServiceTime | null;
  secrets: Secrets;
  log: Log;
  changed: Changed;
  /** The scrypt cost of a new PIN. */
  pinCost: number;
  /** Null if the host has none. */
  systemPrompt: SystemPrompt | null;
  /** Returns whether the ledger or the keychain says that a proof is set up. */
  isProofExpected: () => boolean;
  /** Notes outside the data folder whether a proof that outlasts this run is set up. */
  noteSetUp: (isSetUp: boolean) => void;
  /** Appends a ledger row. A row about a changed proof raises a notification that no setting turns off. */
  record: (kind: string, facts: Record<string, unknown>) => void;
  remind: (reminder: ProofReminder) => void;
  /** Returns the connected account, or '' if no account is connected. */
  account: () => string;
  /** Throws NOT_WHAT_WAS_SHOWN unless each approval is pending and has this digest. */
  readPrompts: (prompts: readonly ShownPrompt[], windowSession: string | undefined) => PromptsToProve;
  pauseAssistants: () => void;
};
