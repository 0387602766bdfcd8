import type { Message } from '../../i18n/message.ts';

/** What a host (Electron or plain Node) gives the core. Tests give their own; nothing else is ever replaced. */

/** The two times, and waiting. */
export type Clock = {
  /** The wall time in ms since 1970, for what people read and what is stored. It can be set back or forward at any moment. */
  now: () => number;
  /** Whole ms since some moment before this run, for every age, deadline and order. It never runs back, and it counts sleep. */
  elapsedMs: () => number;
  /** Waits. Rejects with the signal's reason when it is aborted. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** Where secrets live. `kind` is `memory` when no keychain answers: then a secret lasts for this run only. */
export type Secrets = {
  kind: 'system' | 'memory';
  /** Why the system's keychain is not used, as a sentence for the person. */
  problem?: string;
  /** What other languages say it from. */
  says?: Message;
  get: (name: string) => Promise<string | null>;
  set: (name: string, value: string) => Promise<void>;
  remove: (name: string) => Promise<void>;
};

/** What a message outside the window is about; the person switches each kind on and off. */
export const noticeKinds = ['approvals', 'written', 'sales', 'connection'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** A message outside the window. A click opens the approval that it names, or a place in the window ("/items/it_1"). */
export type Notice = {
  kind: NoticeKind;
  title: string;
  text: string;
  /** What other languages say them from. */
  says?: { title: Message; text: Message };
  approvalId?: string;
  /** The batch that it names in the place of an approval. */
  batchId?: string;
  place?: string;
  /** Where the person allows it: the yes to exactly what the notice says, as a button. */
  yes?: { label: string; says?: Message | undefined; digest: string };
};

/**
 * How many characters of a notice are shown; a host cuts there. One that offers a yes says every fact of its prompt, the
 * seller's policies and defaults among them, so it has more room; what is longer may carry none.
 */
export const noticeLengths = { title: 120, text: 240, textWithYes: 1_000, yes: 60 } as const;
export type Notify = (notice: Notice) => void;

/** Tells the rest of the host that something named by the topic has changed; it carries no data. */
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

/** Writes one line of what happens; never with secrets, photos or listing texts. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  facts?: Record<string, string | number | boolean>,
) => void;

/** A number from 0 up to 1, drawn evenly. It spreads what many companions do by the clock; no secret is made of it. */
export type Random = () => number;

export type Ports = { clock: Clock; random: Random; secrets: Secrets; notify: Notify; log: Log };
