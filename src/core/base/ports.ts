import type { Message } from '../../i18n/message.ts';

export type Clock = {
  /** The wall time in ms since 1970, for display and storage. It can jump in both directions. */
  now: () => number;
  /**
   * Whole ms since a fixed time before this run, for ages, deadlines and order. It never decreases and includes sleep.
   */
  elapsedMs: () => number;
  /** Sleeps for `ms`. Rejects with the signal's reason. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** The secret store. If `kind` is `memory`, no keychain is available and secrets last only for this run. */
export type Secrets = {
  kind: 'system' | 'memory';
  problem?: string;
  says?: Message;
  get: (name: string) => Promise<string | null>;
  set: (name: string, value: string) => Promise<void>;
  remove: (name: string) => Promise<void>;
};

export const noticeKinds = ['approvals', 'written', 'sales', 'connection'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** A desktop notification. A click opens its approval, its batch or its `place`, a path such as "/items/it_1". */
export type Notice = {
  kind: NoticeKind;
  title: string;
  text: string;
  says?: { title: Message; text: Message };
  approvalId?: string;
  batchId?: string;
  place?: string;
  /** A button that approves exactly what the notice says. Only a person who has enabled it gets it. */
  yes?: { label: string; says?: Message | undefined; digest: string };
};

/**
 * The maximum lengths of notice texts, in characters. A notice with an approve button states every fact of its prompt,
 * so it can be longer. If it is still too long, it gets no button.
 */
export const noticeLengths = { title: 120, text: 240, textWithYes: 1_000, yes: 60 } as const;
export type Notify = (notice: Notice) => void;

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

/** Writes one log line. It must not contain secrets, photos or listing texts. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  facts?: Record<string, string | number | boolean>,
) => void;

/** Returns a random number in [0, 1). Never use it for secrets. */
export type Random = () => number;

export type Ports = { clock: Clock; random: Random; secrets: Secrets; notify: Notify; log: Log };
