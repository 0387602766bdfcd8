import type { Clock } from '../clock.ts';
import type { Db } from '../database.ts';
import type { Writer } from '../writer/writer.ts';

/** What the writer is told to do by the controls. */
type WriterOverrides = {
  delayMs: number;
  fail: string | null;
  /** The call that asks for a writing is answered only when that has ended. */
  answersWritten: boolean;
};

/** What is wrong around the service just now, as the controls have it; like faults, it is forgotten at a restart. */
export type Disruptions = {
  /** No mail can be sent. */
  mailDown: boolean;
  /** How long the mail service takes, by the service's clock. */
  mailDelayMs: number;
  /** The marketplace cannot be reached before this time. */
  marketDownUntil: number;
  /** How long it takes to set up a new account. */
  accountSetupMs: number;
  /** How many calls an assistant may make in a minute; null for as many as it likes. */
  callsPerMinute: number | null;
};

/** Everything that the rules of the service work on. */
export type World = {
  db: Db;
  clock: Clock;
  writer: Writer;
  /** The address the service is reached at, without a slash at the end. */
  url: () => string;
  photosDir: string;
  version: string;
  /** Hears of what should not have happened. */
  report: (error: unknown) => void;
  writerOverrides: WriterOverrides;
  /** What the marketplace adds to every fee since the controls said so, in minor units. */
  feeOverrides: { extraMinor: number };
  disruptions: Disruptions;
  /** Mails that the mail service is taking just now. */
  mailsWaiting: number;
  /** When the accounts that are being set up are ready, by address. */
  settingUp: Map<string, number>;
  /** When each assistant called in the last minute, by key; kept only while calls are limited. */
  recentCalls: Map<string, number[]>;
  /** Listings that are being written now, by id, each with what stops it. */
  writing: Map<string, { abort: AbortController; done: Promise<void> }>;
};
