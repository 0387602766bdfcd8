import type { LedgerAlarm } from '../approvals/ledger/ledgerAlarm.ts';
import type { WatchState } from '../photos/watchFolder.ts';
import type { PresenceState } from '../presence/presence.ts';
import type { Settings } from '../base/settings.ts';
import { type DatabaseRepair, repairShape, repairedSettingName } from '../storage/restore.ts';
import type { TaskProgress } from '../storage/startStages.ts';
import { toProblemView, type ProblemView } from '../base/problem.ts';
import type { Message } from '../../i18n/message.ts';
import type { Standing } from '../../contract/index.ts';
import type { CompanionConfig, CoreServices } from './coreServices.ts';
import { getPlanPhotoCap } from '../items/choosePhotos.ts';

export type AppState = {
  version: string;
  service: { kind: 'practice' | 'remote'; url: string };
  connection: 'none' | 'connected' | 'reconnect';
  /** The reason why the service cannot be reached, as a sentence; null if it can be reached. */
  offline: string | null;
  person: { email: string | null; plan: string | null } | null;
  /** Null until it has been read from the service. */
  allowance: {
    remaining: number;
    credits: number;
    resetsAt: string | null;
    photosPerListing: number | null;
  } | null;
  keychain: { kind: 'system' | 'memory'; problem: string | null; says?: Message };
  bridgeUrl: string | null;
  settings: Settings;
  /** Whether a proof of a person is set up, and for how long one counts for the person's own acts. */
  presence: Pick<PresenceState, 'isSetUp' | 'relaxedMinutes'>;
  watch: WatchState | null;
  waitingApprovals: number;
  paused: boolean;
  /** Why the companion can only read its data; null if it can write. */
  readOnly: ProblemView | null;
  /** How far the check of the data after a crash is; null if no check runs or if that is unknown. */
  checkProgress: TaskProgress | null;
  /** Null if the database was not repaired, or if the person has acknowledged the repair. */
  repaired: DatabaseRepair | null;
  ledgerAlarm: LedgerAlarm | null;
};

type AppStateInputs = {
  bridgeUrl: string | null;
  standing: Standing | null;
  watch: AppState['watch'];
  presence: PresenceState;
  waitingApprovals: number;
};

/** Builds the state that every window shows. */
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
    presence: { isSetUp: now.presence.isSetUp, relaxedMinutes: now.presence.relaxedMinutes },
    watch: now.watch,
    waitingApprovals: connection.who() ? now.waitingApprovals : 0,
    paused: gate.isPaused('person'),
    readOnly: findReadOnlyProblem(parts),
    checkProgress: parts.dataCheck.readProgress(),
    repaired: settings.read(repairedSettingName, repairShape),
    ledgerAlarm: parts.signedLedger.alarm(),
  };
};

const findReadOnlyProblem = ({ dataCheck }: CoreServices): ProblemView | null => {
  const problem = dataCheck.findProblem();
  return problem && toProblemView(problem);
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
    photosPerListing: getPlanPhotoCap(standing),
  };
