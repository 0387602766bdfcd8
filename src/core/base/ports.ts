import type { Message } from '../../i18n/message.ts';

/** The interfaces that a host (Electron or plain Node) implements for the core. Tests replace only these. */

/** Wall time, elapsed time and sleeping. */
export type Clock = {
  /** The wall time in ms since 1970, for display and storage. It may jump in both directions. */
  now: () => number;
  /** Whole ms since a fixed moment before this run, for ages, deadlines and order. Monotonic; includes sleep. */
  elapsedMs: () => number;
  /** Waits. Rejects with the signal's reason. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** The secret store. `kind` is `memory` if no keychain is available; secrets then last for this run only. */
export type Secrets = {
  kind: 'system' | 'memory';
  /** Why the system's keychain is not used, as a sentence for the person. */
  problem?: string;
  /** The same as a message, for other languages. */
  says?: Message;
  get: (name: string) => Promise<string | null>;
  set: (name: string, value: string) => Promise<void>;
  remove: (name: string) => Promise<void>;
};

/** The kinds of desktop notifications. The person switches each on and off. */
export const noticeKinds = ['approvals', 'written', 'sales', 'connection'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** A desktop notification. A click opens its approval or a place in the window ("/items/it_1"). */
export type Notice = {
  kind: NoticeKind;
  title: string;
  text: string;
  /** The same as messages, for other languages. */
  says?: { title: Message; text: Message };
  approvalId?: string;
  /** The batch to open instead of an approval. */
  batchId?: string;
  place?: string;
  /** A button that approves exactly what the notice says, if the person enabled it. */
  yes?: { label: string; says?: Message | undefined; digest: string };
};

/**
 * Length limits of a notice, in characters; hosts cut there. A notice with an approve button states every fact of
 * its prompt, so it may be longer; if it is still too long, it gets no button.
 */
export const noticeLengths = { title: 120, text: 240, textWithYes: 1_000, yes: 60 } as const;
export type Notify = (notice: Notice) => void;

/** Announces a change of a topic; carries no data. */
export type Changed = (topic: Topic) => void;
export const topics = [
  'app',
  'items',
  'listings',
  'approvals',
  'assistants',
  'setup',
  'notifications',
  'account',
] as const;
export type Topic = (typeof topics)[number];

/** Writes one log line, never with secrets, photos or listing texts. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  facts?: Record<string, string | number | boolean>,
) => void;

/** Returns a random number in [0, 1). Used to spread scheduled requests of many companions, never for secrets. */
export type Random = () => number;

export type Ports = { clock: Clock; random: Random; secrets: Secrets; notify: Notify; log: Log };
