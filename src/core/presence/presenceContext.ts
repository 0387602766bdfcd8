import type { Changed, Clock, Log, Secrets } from '../base/ports.ts';
import type { DrawnCeremony, PromptsToProve } from './ceremonies.ts';
import type { StoredAgeTracker } from '../base/storedAges.ts';
import type { ShownPrompt } from './windowSessions.ts';

/** The dialog of the operating system that asks for the fingerprint or password of its user (macOS). */
export type SystemPrompt = {
  /** Returns whether the person confirmed. The dialog says what it is for. */
  confirm: (drawn: DrawnCeremony) => Promise<boolean>;
};

/** What the person is told at each start. */
export type ProofReminder = 'proofsLost' | 'recoveryRuns';

export type PresenceContext = {
  dataDir: string;
  clock: Clock;
  ages: Pick<StoredAgeTracker, 'ageMs'>;
  secrets: Secrets;
  log: Log;
  changed: Changed;
  /** The scrypt cost of a new PIN. */
  pinCost: number;
  /** Null if the host has none. */
  systemPrompt: SystemPrompt | null;
  /** Returns whether the ledger says that a proof is set up. */
  isProofExpected: () => boolean;
  /** Appends a ledger row. A row about a changed proof raises a notification that no setting turns off. */
  record: (kind: string, facts: Record<string, unknown>) => void;
  remind: (reminder: ProofReminder) => void;
  /** Returns the connected account, or '' if no account is connected. */
  account: () => string;
  /** Throws NOT_WHAT_WAS_SHOWN unless each approval is pending and has this digest. */
  readPrompts: (prompts: readonly ShownPrompt[], windowSession: string | undefined) => PromptsToProve;
  pauseAssistants: () => void;
};
