import type { Clock } from '../clock.ts';
import type { Db } from '../database.ts';
import type { Writer } from '../writer/writer.ts';

type WriterOverrides = {
  delayMs: number;
  fail: string | null;
  /** If true, a generation request is answered only after the listing is written. */
  answersWritten: boolean;
};

export type Disruptions = {
  mailDown: boolean;
  mailDelayMs: number;
  /** The marketplace is unreachable until this time. */
  marketDownUntil: number;
  accountSetupMs: number;
  /** Per assistant; null means no limit. */
  callsPerMinute: number | null;
  /** Uploads to a written listing are accepted but change no photo. */
  keepsWrittenPhotos: boolean;
  /** Uploaded photos are encoded again before they are stored. */
  encodesPhotos: boolean;
};

export type World = {
  db: Db;
  clock: Clock;
  writer: Writer;
  url: () => string;
  photosDir: string;
  version: string;
  report: (error: unknown) => void;
  writerOverrides: WriterOverrides;
  /** Added to every marketplace fee, in minor units. */
  feeOverrides: { extraMinor: number };
  disruptions: Disruptions;
  mailsWaiting: number;
  /** When the set-up of each account ends, by e-mail address. */
  accountsInSetUp: Map<string, number>;
  /** The times of the calls in the last minute, by key id. Calls are recorded only while `callsPerMinute` is set. */
  recentCalls: Map<string, number[]>;
  writing: Map<string, { abort: AbortController; done: Promise<void> }>;
};
