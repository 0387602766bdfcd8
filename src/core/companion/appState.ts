import type { LedgerAlarm } from '../approvals/signed/ledgerAlarm.ts';
import type { WatchState } from '../photos/watchFolder.ts';
import type { Settings } from '../base/settings.ts';
import type { Repair } from '../storage/restore.ts';
import type { Message } from '../../i18n/message.ts';

/** What every window shows around its content. */
export type AppState = {
  version: string;
  service: { kind: 'practice' | 'remote'; url: string };
  connection: 'none' | 'connected' | 'reconnect';
  /** Why the service is not reached right now, in words. */
  offline: string | null;
  person: { name: string | null; email: string | null; plan: string | null } | null;
  /** Allowance as the service reports it; null until read. */
  allowance: { remaining: number; credits: number; photosPerListing: number | null } | null;
  keychain: { kind: 'system' | 'memory'; problem: string | null; says?: Message };
  bridgeUrl: string | null;
  settings: Settings;
  /** The folder whose new photos become items by themselves; null when none is watched. */
  watch: WatchState | null;
  waitingApprovals: number;
  /** Whether the person has paused everything: nothing new is started. */
  paused: boolean;
  /** That the data was damaged and made anew, until the person has read it. */
  repaired: Repair | null;
  /** What is wrong with the ledger, until the person has acknowledged it. */
  ledgerAlarm: LedgerAlarm | null;
};
