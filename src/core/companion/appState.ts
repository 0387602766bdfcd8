import type { LedgerAlarm } from '../approvals/ledger/ledgerAlarm.ts';
import type { WatchState } from '../photos/watchFolder.ts';
import type { Settings } from '../base/settings.ts';
import { type Repair, repair, repairedName } from '../storage/restore.ts';
import type { Message } from '../../i18n/message.ts';
import type { Standing } from '../../contract/index.ts';
import type { CompanionConfig, CoreServices } from './coreServices.ts';
import { photoCap } from '../items/choosePhotos.ts';

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
  /** The watched folder; null if there is none. */
  watch: WatchState | null;
  waitingApprovals: number;
  /** Whether the person has paused all work. */
  paused: boolean;
  /** The repair of a damaged database, until the person acknowledges it. */
  repaired: Repair | null;
  /** The ledger alarm, until the person acknowledges it. */
  ledgerAlarm: LedgerAlarm | null;
};

type Now = { bridgeUrl: string | null; standing: Standing | null; watch: AppState['watch']; waitingApprovals: number };

/** Builds the current application state. */
export const appStateOf = (parts: CoreServices, { version, service }: CompanionConfig, now: Now): AppState => {
  const { connection, secrets, settings, gate } = parts;
  return {
    version,
    service,
    connection: connection.state(),
    offline: parts.offline(),
    person: personOf(parts, now.standing),
    allowance: allowanceOf(now.standing),
    keychain: {
      kind: secrets.kind,
      problem: secrets.problem ?? null,
      ...(secrets.says === undefined ? {} : { says: secrets.says }),
    },
    bridgeUrl: now.bridgeUrl,
    settings: settings.settings(),
    watch: now.watch,
    waitingApprovals: connection.who() ? now.waitingApprovals : 0,
    paused: gate.isHeld('person'),
    repaired: settings.read(repairedName, repair),
    ledgerAlarm: parts.signedLedger.alarm(),
  };
};

const personOf = ({ connection }: CoreServices, standing: Standing | null): AppState['person'] => {
  const who = connection.who();
  return who ? { email: who.email, plan: standing?.plan?.name ?? null } : null;
};

const allowanceOf = (standing: Standing | null): AppState['allowance'] =>
  standing && {
    remaining: standing.allowance.remaining,
    credits: standing.allowance.creditBalance,
    resetsAt: standing.allowance.resetsAt ?? null,
    photosPerListing: photoCap(standing),
  };
