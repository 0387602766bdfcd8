import type { Clock } from '../clock.ts';
import type { Db } from '../database.ts';
import type { Writer } from '../writer/writer.ts';

/** Overrides of the writer, set by the practice controls. */
type WriterOverrides = {
  delayMs: number;
  fail: string | null;
  /** If true, a generation request is answered only after the writing ends. */
  answersWritten: boolean;
};

/** Simulated outages, set by the practice controls and reset by a restart. */
export type Disruptions = {
  mailDown: boolean;
  /** The delay of the mail service, by the service's clock. */
  mailDelayMs: number;
  /** The marketplace is unreachable before this time. */
  marketDownUntil: number;
  /** The duration of setting up a new account. */
  accountSetupMs: number;
  /** The maximum number of calls per assistant and minute; null means no limit. */
  callsPerMinute: number | null;
};

/** The state that all rules of the service work on. */
export type World = {
  db: Db;
  clock: Clock;
  writer: Writer;
  /** The base URL of the service, without a trailing slash. */
  url: () => string;
  photosDir: string;
  version: string;
  /** Reports an internal error. */
  report: (error: unknown) => void;
  writerOverrides: WriterOverrides;
  /** An addition to every marketplace fee, in minor units, set by the practice controls. */
  feeOverrides: { extraMinor: number };
  disruptions: Disruptions;
  /** The number of mails in flight. */
  mailsWaiting: number;
  /** The time when each account in set-up becomes ready, by e-mail address. */
  accountsInSetUp: Map<string, number>;
  /** The times of each assistant's calls in the last minute, by key. Recorded only while a limit is set. */
  recentCalls: Map<string, number[]>;
  /** The listings being written, by id, each with its abort controller. */
  writing: Map<string, { abort: AbortController; done: Promise<void> }>;
};
