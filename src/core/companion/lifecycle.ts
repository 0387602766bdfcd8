import * as z from 'zod';
import type { CompanionConfig, CoreServices, PracticeShop, PracticeRequest } from './coreServices.ts';
import type { Items } from '../items/items.ts';
import { problem } from '../base/problem.ts';
import { startSignIn, takeKey, verifySignIn, type Connection } from '../service/connection.ts';
import { stopParts, type Part } from '../base/stopParts.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Listings } from '../listings/listings.ts';
import type { News } from '../notifications/news.ts';
import type { NoticeBoard } from '../notifications/noticeBoard.ts';
import { sweepUnfinished } from '../photos/photoDisk.ts';
import type { Backups } from '../storage/backups.ts';
import type { AssistantAccess, AssistantsOfCompanion } from './openAssistants.ts';
import type { CompanionThrottle } from './openThrottle.ts';
import type { PhotosOfCompanion } from './openPhotos.ts';
import type { StandingMemory } from './keptAnswers.ts';
import type { Upkeep } from './upkeep.ts';
import type { WatchedFolder } from './watchedFolder.ts';

/** Set while the connected person is the practice person. */
const practising = 'practice person';
/** Another person has other marketplace accounts and templates. */
const nobodysAccount = { marketAccountId: null, templateId: null, watchTemplateId: null };

type ConnectingContext = Pick<LifecycleContext, 'config' | 'services' | 'items' | 'assistants'>;

/** Another person's key is put away, too, before anything else can fail; the first one's items are told to stop by then. */
const savingWith =
  (connection: Connection, items: Items, onConnected: () => void): Connection['save'] =>
  async (userId, email, ...more) => {
    const before = connection.who();
    if (before === null || before.userId === userId) return connection.save(userId, email, ...more);
    const stopped = items.stop();
    try {
      const isSaved = await connection.save(userId, email, ...more);
      await stopped;
      return isSaved;
    } catch (error) {
      // They went on as the first one's, and do so again.
      await stopped;
      onConnected();
      throw error;
    }
  };

/** The ways to connect and to forget the connection; `onConnected` is what follows every one that succeeds. */
const createConnecting = ({ config, services, items, assistants }: ConnectingContext, onConnected: () => void) => {
  const { connection, client, clientOf, settings, changed, log } = services;

  const save = savingWith(connection, items, onConnected);

  /** `isWanted` says whether that still holds once the key may be put away. */
  const practise = async (wish: PracticeRequest, isWanted?: () => boolean): Promise<void> => {
    if (!config.practicePerson) throw problem('NO_PRACTICE');
    const { userId, email, agentKey, assistant } = await config.practicePerson(wish);
    if (!(await save(userId, email, agentKey, isWanted))) return;
    settings.write(practising, true);
    if (assistant !== undefined) assistants.builtIn.pair(assistant);
  };

  const connect = async (how: () => Promise<void>): Promise<void> => {
    const before = connection.who()?.account;
    await how();
    if (connection.account() !== before) settings.change(nobodysAccount);
    onConnected();
  };
  const signIn = (how: () => Promise<void>): Promise<void> =>
    connect(async () => {
      await how();
      settings.remove(practising);
    });

  return {
    /** Practises in the shop of that kind that was left last; `anew` in another one, where nothing was done yet. */
    practice: (shop: PracticeShop = 'empty', anew = false): Promise<void> => connect(() => practise({ shop, anew })),
    start: (email: string, name?: string) => startSignIn(client, email, name),
    verify: (given: { challengeId: string; email: string; code: string }) =>
      signIn(() => verifySignIn(client, save, given)),
    /** A key that the person made in the web settings. Throws `NO_KEY`, `KEY_REFUSED`: then all stays as it was. */
    key: (given: string) => signIn(() => takeKey(clientOf, save, given)),
    forget: async (): Promise<void> => {
      const which = connection.which();
      await items.stop();
      const isForgotten = await connection.forget(which).catch((error: unknown) => {
        // The keychain keeps the key, and all goes on with it where it still works.
        if (connection.state() === 'connected') onConnected();
        throw error;
      });
      if (!isForgotten) return onConnected();
      settings.remove(practising);
      settings.change(nobodysAccount);
      changed('app');
    },
    /**
     * At a start. The practice key is no secret worth a keychain: a new run gets a new one for the same practice person, once
     * `calm` has settled.
     */
    restore: (calm: Promise<void> | null): void => {
      const email = connection.who()?.email ?? null;
      const again = config.practicePerson !== null && settings.read(practising, z.boolean()) === true;
      if (!again || email === null || connection.state() !== 'reconnect') return;
      const which = connection.which();
      const isSame = (): boolean => connection.which() === which && connection.who() !== null;
      const notRenewed = (): void => {
        log('error', 'the practice key could not be renewed');
        if (isSame()) connection.died();
        changed('app');
      };
      const renew = async (): Promise<void> => {
        await calm;
        await practise({ again: email }, isSame);
      };
      connection.renewBy(() => renew().catch(notRenewed));
    },
  };
};

type LifecycleContext = {
  config: CompanionConfig;
  services: CoreServices;
  approvals: Approvals;
  access: AssistantAccess;
  assistants: Pick<AssistantsOfCompanion, 'builtIn'>;
  throttle: CompanionThrottle;
  listings: Listings;
  notifications: NoticeBoard;
  news: News;
  items: Items;
  photos: PhotosOfCompanion;
  standing: StandingMemory;
  upkeep: Upkeep;
  backups: Backups;
  watched: WatchedFolder;
};

export type Lifecycle = ReturnType<typeof createLifecycle>;

/** What begins and ends with the companion and with a connection. */
export const createLifecycle = (context: LifecycleContext) => {
  const { services, access, throttle, listings, notifications, standing, upkeep } = context;
  const { connection, pageWatch, log } = services;
  let stopped = false;
  let stopping: Promise<string[]> | null = null;

  const resume = (atStart: boolean): void => {
    if (connection.state() === 'connected') {
      access.leaveOtherAccounts();
      access.withdrawOfSilent();
    }
    upkeep.resume(atStart);
    throttle.resume();
    listings.resume(atStart);
    notifications.resume(atStart);
  };
  let resumed = false;
  const connecting = createConnecting(context, () => {
    resumed = true;
    resume(false);
  });
  const disconnect = async (): Promise<void> => {
    standing.forget();
    pageWatch.stop();
    listings.stop();
    notifications.stop();
    await connecting.forget();
    access.leaveAccount();
  };

  return {
    connect: { ...connecting, forget: disconnect },
    /** The person ended the key at the service: nobody is told that it died, and it goes from here as well. */
    keyRevoked: (): void => {
      connection.died();
      disconnect().catch(() => log('warn', 'the key could not be removed from the keychain'));
    },
    /** Goes on with everything that was on its way; once `calm` has settled, as a window that opens needs the machine. */
    start: async (calm: Promise<void> | null = null): Promise<void> => {
      await sweep(context);
      connecting.restore(calm);
      // What goes on has its key before it does.
      if (calm === null) {
        await connection.key();
        resume(true);
      } else
        calm
          .then(() => (stopped ? null : connection.key()))
          // Who has connected meanwhile waits for what they see: that is no start that nobody waits for.
          .then(() => stopped || resumed || resume(true))
          .catch(() => log('error', 'what was on its way could not be resumed'));
      startBehind(context);
    },
    /** Leaves everything as it is on disk. Answers the names of the parts that did not stop, if any. */
    stop: (): Promise<string[]> => {
      stopped = true;
      return (stopping ??= stopAll(context));
    },
    isStopped: (): boolean => stopped,
  };
};

const sweep = async ({ services, photos }: LifecycleContext): Promise<void> => {
  const { ledger, signedLedger, log, dir } = services;
  const broken = ledger.firstBroken();
  if (broken !== null) log('error', 'the ledger is broken', { row: broken });
  signedLedger.check().catch(() => log('warn', 'the ledger could not be checked'));
  await sweepUnfinished([photos.preparedDir, photos.copiesDir, dir('bound-photos')]);
};

const startBehind = ({ services, upkeep, backups, watched, photos }: LifecycleContext): void => {
  const { log, boundPhotos, approvalsTable } = services;
  upkeep.start();
  backups.start();
  watched.start();
  photos.disk.cleanUp().catch(() => log('warn', 'prepared photos could not be cleaned up'));
  boundPhotos.sweep(approvalsTable.openPhotos()).catch(() => log('warn', 'kept photos could not be cleaned up'));
};

/** In this order: what writes to the database ends before it does. Answers the names of the parts that did not stop. */
const stopAll = (context: LifecycleContext): Promise<string[]> => {
  const { services, upkeep, approvals, throttle, listings, notifications, news, watched, items } = context;
  const { locks, lostAnswers, pageWatch, signedLedger, db } = services;
  for (const { stop } of [upkeep, approvals, lostAnswers, locks, throttle, pageWatch, listings, notifications, news])
    stop();
  const parts: Part[] = [
    { name: 'folder that is watched', stop: watched.stop },
    { name: 'items', stop: items.stop },
    { name: 'photo threads', stop: context.photos.workers.close },
    { name: 'copy of the database', stop: context.backups.stop },
    { name: 'end of the ledger in the keychain', stop: signedLedger.stop },
    { name: 'database', stop: () => void db.close() },
  ];
  return stopParts(parts, services);
};
