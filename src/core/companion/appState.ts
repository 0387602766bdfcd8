import type { LedgerAlarm } from '../approvals/ledger/ledgerAlarm.ts';
import type { WatchState } from '../photos/watchFolder.ts';
import type { Settings } from '../base/settings.ts';
import { type DatabaseRepair, repairShape, repairedSetting } from '../storage/restore.ts';
import type { Message } from '../../i18n/message.ts';
import type { Standing } from '../../contract/index.ts';
import type { CompanionConfig, CoreServices } from './coreServices.ts';
import { readPhotoCap } from '../items/choosePhotos.ts';

/** The application state that every window shows. */
export type AppState = {
  version: string;
  service: { kind: 'practice' | 'remote'; url: string };
  connection: 'none' | 'connected' | 'reconnect';
  /** Why the service cannot be reached, as a sentence; null if it can. */
  offline: string | null;
  person: { email: string | null; plan: string | null } | null;
  /** The allowance as the service reports it; null until it is read. */
  allowance: {
    remaining: number;
    credits: number;
    /** When the plan's listings are renewed, as the service writes it. */
    resetsAt: string | null;
    photosPerListing: number | null;
  } | null;
  keychain: { kind: 'system' | 'memory'; problem: string | null; says?: Message };
  bridgeUrl: string | null;
  settings: Settings;
  /** The watched folder, or null. */
  watch: WatchState | null;
  waitingApprovals: number;
  /** Whether the person has paused all work. */
  paused: boolean;
  /** The repair of a damaged database, until the person acknowledges it. */
  repaired: DatabaseRepair | null;
  /** The ledger alarm, until the person acknowledges it. */
  ledgerAlarm: LedgerAlarm | null;
};

type AppStateInputs = {
  bridgeUrl: string | null;
  standing: Standing | null;
  watch: AppState['watch'];
  waitingApprovals: number;
};

/** Builds the current application state. */
export const buildAppState = (
  parts: CoreServices,
  { version, service }: CompanionConfig,
  now: AppStateInputs,
): AppState => {
  const { connection, secrets, settings, gate } = parts;
  return {
    version,
    service,
    connection: connection.state(),
    offline: parts.offline(),
    person: toPersonState(parts, now.standing),
    allowance: toAllowanceState(now.standing),
    keychain: {
      kind: secrets.kind,
      problem: secrets.problem ?? null,
      ...(secrets.says === undefined ? {} : { says: secrets.says }),
    },
    bridgeUrl: now.bridgeUrl,
    settings: settings.settings(),
    watch: now.watch,
    waitingApprovals: connection.who() ? now.waitingApprovals : 0,
    paused: gate.isPaused('person'),
    repaired: settings.read(repairedSetting, repairShape),
    ledgerAlarm: parts.signedLedger.alarm(),
  };
};

const toPersonState = ({ connection }: CoreServices, standing: Standing | null): AppState['person'] => {
  const who = connection.who();
  return who ? { email: who.email, plan: standing?.plan?.name ?? null } : null;
};

const toAllowanceState = (standing: Standing | null): AppState['allowance'] =>
  standing && {
    remaining: standing.allowance.remaining,
    credits: standing.allowance.creditBalance,
    resetsAt: standing.allowance.resetsAt ?? null,
    photosPerListing: readPhotoCap(standing),
  };
