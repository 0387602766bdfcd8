import type { Standing } from '../../contract/index.ts';
import type { AppState } from './appState.ts';
import type { CompanionConfig, Foundation } from './foundation.ts';
import { photoCap } from '../items/choosePhotos.ts';
import { repair } from '../storage/restore.ts';

type Now = { bridgeUrl: string | null; standing: Standing | null; watch: AppState['watch']; waitingApprovals: number };

/** What every window shows around its content, as it is now. */
export const appStateOf = (parts: Foundation, { version, service }: CompanionConfig, now: Now): AppState => {
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
    repaired: settings.read('repaired', repair),
    ledgerAlarm: parts.signedLedger.alarm(),
  };
};

const personOf = ({ connection }: Foundation, standing: Standing | null): AppState['person'] => {
  const who = connection.who();
  return who ? { name: null, email: who.email, plan: standing?.plan?.name ?? null } : null;
};

const allowanceOf = (standing: Standing | null): AppState['allowance'] =>
  standing && {
    remaining: standing.allowance.remaining,
    credits: standing.allowance.creditBalance,
    photosPerListing: photoCap(standing),
  };
