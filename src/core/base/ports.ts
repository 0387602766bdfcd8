import type { Message } from '../../i18n/message.ts';
import type { Settings } from './settings.ts';

export type Clock = {
  /** Ms since 1970. It can jump in both directions. */
  now: () => number;
  /** Whole ms since a fixed time before this run. It never decreases and includes sleep. */
  elapsedMs: () => number;
  /** Rejects with the signal's reason. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** A time by the clock of the service at this address, in ms since 1970. */
export type ServiceTime = { service: string; at: number };

/** If `kind` is `memory`, no keychain is available and secrets last only for this run. */
export type Secrets = {
  kind: 'system' | 'memory';
  problem?: string;
  says?: Message;
  get: (name: string) => Promise<string | null>;
  set: (name: string, value: string) => Promise<void>;
  remove: (name: string) => Promise<void>;
};

/** Settings turn off every kind except `protection`. */
export type NoticeKind = keyof Settings['notify'] | 'protection';

/** A click opens the approval, the batch, or the page at `place`, which is a path such as "/items/it_1". */
export type Notice = {
  kind: NoticeKind;
  title: string;
  text: string;
  says?: { title: Message; text: Message };
  approvalId?: string;
  batchId?: string;
  place?: string;
  /** A button that approves exactly what the notice says. */
  yes?: { label: string; says?: Message | undefined; digest: string };
};

/**
 * Maximum lengths in characters. If the text of a notice is longer than `textWithYes`, the notice gets no approve
 * button.
 */
export const maxNoticeLengths = { title: 120, text: 240, textWithYes: 1_000, yes: 60 } as const;
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
  'ceremonies',
  'exports',
  'start',
] as const;
export type Topic = (typeof topics)[number];

/** Writes one log line. The line must not contain secrets, photos or listing texts. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  facts?: Record<string, string | number | boolean>,
) => void;

/** Returns a random number in [0, 1). Never use it for secrets. */
export type Random = () => number;

export type Ports = { clock: Clock; random: Random; secrets: Secrets; notify: Notify; log: Log };

/** A part of an exported file, and how many rows of the export it contains. After a step that only reads, the text is empty. */
export type ExportPart = { text: string; rows: number };
