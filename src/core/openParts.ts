import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { englishText } from '../i18n/english.ts';
import { message } from '../i18n/message.ts';
import { approvalsTable } from './approvals/approvalsTable.ts';
import { endExtras } from './approvals/extrasBooks.ts';
import type { Ledger } from './approvals/ledger.ts';
import { openLedger } from './approvals/signed/openLedger.ts';
import { approvedSender, createListingLocks, lockClient } from './approvals/listingLocks.ts';
import type { CompanionConfig } from './companion.ts';
import { createQuotes } from './approvals/quotes.ts';
import { rememberAnswers, shareReads } from './conduct/answers.ts';
import { createPageWatch } from './conduct/pageWatch.ts';
import { openConnection } from './connection.ts';
import { createGate } from './items/gate.ts';
import { arrangementsTable } from './items/arrangementsTable.ts';
import { itemsTable } from './items/itemsTable.ts';
import { createWritten } from './listings/written.ts';
import { createLiveRoutes } from './liveRoutes.ts';
import { problemView } from './problem.ts';
import type { Clock, Log, Notice, Notify, Ports, Topic } from './ports.ts';
import { createBoundPhotos } from './photos/boundPhotos.ts';
import { paceClient } from './pacing/paceClient.ts';
import { createPacing } from './pacing/pacing.ts';
import { noteSlots } from './service/noteSlots.ts';
import { createServiceClient } from './service/serviceClient.ts';
import { withMoments } from './service/withMoments.ts';
import { listingsTable } from './store/listingsTable.ts';
import { openAccessLog } from './store/accessLog.ts';
import { backupsDir } from './store/backups.ts';
import type { Db } from './store/database.ts';
import { openRepaired, restoredName } from './store/restore.ts';
import { settingsTable, type SettingsTable } from './store/settingsTable.ts';
import { noticeWords } from './words/noticeWords.ts';

/** What everything else in the core stands on. */
export type CoreParts = Awaited<ReturnType<typeof openParts>>;

const offlineSentence = englishText('notices.offline');

const connectionLost: Notice = {
  kind: 'connection',
  ...noticeWords(message('notices.connectionEnded'), message('notices.connectAgain')),
  place: '/account',
};

/** Opens the stores of the data folder, the connection and the client of the service. */
export const openParts = async (config: CompanionConfig, ports: Ports) => {
  const dir = (name: string): string => join(config.dataDir, name);
  mkdirSync(dir('prepared'), { recursive: true });
  const { db, repaired } = openRepaired(config.dataDir, ports.clock.now());
  const events = createEvents(ports.log);
  const settings = settingsTable(db);
  if (repaired) {
    settings.write('repaired', repaired);
    ports.log('error', 'the database was damaged and is made anew', { copy: repaired.from ?? 'none' });
  }
  const service = config.service.kind === 'practice' ? 'practice' : config.service.url;
  const access = openAccess(config.dataDir, db, settings, ports);
  const signed = await openLedger({
    ...ports,
    db,
    settings,
    changed: events.changed,
    // Rights and extras may be back that were taken away since.
    cameBack: () => {
      access.hold();
      endExtras(db);
    },
  });
  const record = recordedIn(db, signed.ledger, ports.clock);
  const connection = await openConnection({ settings, secrets: ports.secrets, service, record });
  let offline: string | null = null;
  const reached = (ok: boolean): void => {
    const sentence = ok ? null : offlineSentence;
    if (sentence === offline) return;
    offline = sentence;
    events.changed('app');
  };
  const notify: Notify = (notice) => {
    if (settings.settings().notify[notice.kind]) ports.notify(notice);
  };
  const keyDied = (): void => {
    if (connection.state() === 'connected') notify(connectionLost);
    connection.died();
    events.changed('app');
  };
  const baseUrl = (): string => config.service.url;
  const account = (): string | null => connection.who()?.account ?? null;
  const serviceOrigin = new URL(config.service.url).origin;
  const boundPhotos = createBoundPhotos({ ...ports, db, dir: dir('bound-photos'), account, serviceOrigin });
  const pacing = createPacing(ports);
  const gate = createGate(ports.clock);
  const direct = withMoments(
    createServiceClient({ baseUrl, key: connection.key, clock: ports.clock, pacing, reached, keyDied }),
  );
  const quotes = createQuotes(noteSlots(direct, boundPhotos.slotOpened), ports.clock, account);
  const remembered = rememberAnswers(quotes.client, ports.clock, account, pacing, () => pageWatch.isOpen());
  const pageWatch = createPageWatch({ ...ports, ...events, client: remembered.client });
  // Nobody but an approved request gets past the lock of a listing that is being decided.
  const locks = createListingLocks(ports.clock);
  const locked = lockClient(remembered.client, locks);
  const client = paceClient(locked, pacing.service, gate.pass);
  const answers = {
    ...remembered,
    client,
    shared: paceClient(shareReads(remembered, locked), pacing.service, gate.pass),
  };
  return {
    ...ports,
    ...events,
    notify,
    pacing,
    gate,
    db,
    dir,
    backupsDir: backupsDir(config.dataDir),
    settings,
    connection,
    client,
    answers,
    quotes,
    pageWatch,
    locks,
    sendApproved: approvedSender(remembered.client, locks),
    boundPhotos,
    live: createLiveRoutes(client),
    offline: () => offline,
    listings: listingsTable(db),
    written: createWritten(db),
    itemsTable: itemsTable(db),
    arrangements: arrangementsTable(db),
    approvalsTable: approvalsTable(db),
    access,
    ledger: signed.ledger,
    signedLedger: signed,
  };
};

/** Opens what is known of assistants outside the database, and holds it against what the database says. */
const openAccess = (dataDir: string, db: Db, settings: SettingsTable, { clock, log }: Ports) =>
  openAccessLog({
    dataDir,
    log,
    now: clock.now,
    assistants: z
      .array(z.object({ id: z.string(), stamp: z.string().nullable() }))
      .parse(db.prepare('select assistant_id as id, stamp from assistants').all()),
    isRestored: settings.read(restoredName, z.unknown()) !== null,
  });

/** Makes a change and its row in the ledger together, or neither. */
const recordedIn =
  (db: Db, ledger: Ledger, clock: Clock) =>
  (kind: string, facts: Record<string, unknown>, change: () => void): void =>
    db.transaction(() => {
      change();
      ledger.append(clock.now(), kind, facts);
    })();

/** Who listens for changes; a change names its topic and carries no data. */
const createEvents = (log: Log) => {
  const listeners = new Set<(topic: Topic) => void>();
  return {
    changed: (topic: Topic): void => {
      for (const listener of listeners) {
        try {
          listener(topic);
        } catch (error) {
          // Whoever changed something is not the one who failed, and the others want to hear of it, too.
          log('error', 'somebody could not be told of a change', { topic, code: problemView(error).code });
        }
      }
    },
    onChanged: (listener: (topic: Topic) => void) => {
      listeners.add(listener);
      return (): void => void listeners.delete(listener);
    },
  };
};
