import * as z from 'zod';
import type { CompanionConfig, CoreServices, PracticeShop, PracticeRequest } from './coreServices.ts';
import type { FileExports } from './dataTasks/fileExports.ts';
import type { Items } from '../items/items.ts';
import { createProblem } from '../base/problem.ts';
import { connectWithKey, type Connection } from '../service/connection.ts';
import { stopParts, type StoppablePart } from '../base/stopParts.ts';
import type { ApprovalEngine } from '../approvals/approvals.ts';
import type { ListingsService } from '../listings/listings.ts';
import type { NewsNotifier } from '../notifications/news.ts';
import type { NotificationService } from '../notifications/noticeBoard.ts';
import { removeUnfinishedFiles } from '../photos/photoDisk.ts';
import type { Backups } from '../storage/backups.ts';
import type { AssistantAccess, CompanionAssistants } from './openAssistants.ts';
import type { CompanionThrottle } from './openThrottle.ts';
import type { CompanionPhotos } from './openPhotos.ts';
import type { StandingMemory } from './keptAnswers.ts';
import type { Maintenance } from './maintenance.ts';
import type { Presence } from '../presence/presence.ts';
import { createSignInActions, type SignInCode, type SignInWay } from './signInAgain.ts';
import type { WatchedFolder } from './watchedFolder.ts';

const practiceSetting = 'practice person';
/**
 * These settings are cleared when another person connects, because that person has other marketplace accounts and
 * templates.
 */
const noAccountSettings = { marketAccountId: null, templateId: null, watchTemplateId: null };

type ConnectingContext = Pick<LifecycleContext, 'config' | 'services' | 'items' | 'assistants' | 'presence'>;

/**
 * Creates the function that stores the key. It stores the key before the running items of the previous person have
 * ended, so that the key cannot be lost.
 */
const createConnectionSaver =
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
      // The key could not be stored, so the previous person is still connected and the items resume.
      await stopped;
      onConnected();
      throw error;
    }
  };

/** Forgets what belongs to the account that is no longer connected. */
const resetAccount = ({ services, presence }: ConnectingContext): void => {
  services.settings.change(noAccountSettings);
  presence.endSignIn();
};

const createConnectActions = (context: ConnectingContext, onConnected: () => void) => {
  const { config, services, items, assistants } = context;
  const { connection, clientOf, settings, changed, log } = services;

  const save = createConnectionSaver(connection, items, onConnected);
  const signIn = createSignInActions(context, save, onConnected);

  const connectPracticePerson = async (wish: PracticeRequest, isWanted?: () => boolean): Promise<void> => {
    if (!config.practicePerson) throw createProblem('NO_PRACTICE');
    const { userId, email, agentKey, assistant } = await config.practicePerson(wish);
    if (!(await save(userId, email, agentKey, isWanted))) return;
    settings.write(practiceSetting, true);
    if (assistant !== undefined) assistants.builtIn.pair(assistant);
  };

  const connectAndResume = async (how: () => Promise<void>): Promise<void> => {
    const before = connection.who()?.account;
    await how();
    if (connection.account() !== before) resetAccount(context);
    onConnected();
  };
  const connectRealAccount = (how: () => Promise<void>): Promise<void> =>
    connectAndResume(async () => {
      await how();
      settings.remove(practiceSetting);
    });

  return {
    /** Connects to the last used practice shop of this kind. If `fresh` is true, a shop without history is created. */
    practice: (shop: PracticeShop = 'empty', fresh = false): Promise<void> =>
      connectAndResume(() => connectPracticePerson({ shop, fresh })),
    ...signIn,
    verify: (given: SignInCode, how?: SignInWay) => signIn.verify(given, connectRealAccount, how),
    /**
     * Connects with a key from the web settings. Throws `NO_KEY` or `KEY_REFUSED` and leaves the connection unchanged.
     */
    key: (given: string) => connectRealAccount(() => connectWithKey(clientOf, save, given)),
    forget: async (): Promise<void> => {
      const which = connection.connectionNumber();
      await items.stop();
      const isForgotten = await connection.forget(which).catch((error: unknown) => {
        // The key could not be removed, so work resumes if the key is valid.
        if (connection.state() === 'connected') onConnected();
        throw error;
      });
      if (!isForgotten) return onConnected();
      settings.remove(practiceSetting);
      resetAccount(context);
      changed('app');
    },
    /**
     * Sets up the renewal of the practice key, which is not in the keychain because it is not secret. If `calm` is
     * given, the renewal waits until it resolves.
     */
    restore: (calm: Promise<void> | null): void => {
      const email = connection.who()?.email ?? null;
      const again = config.practicePerson !== null && settings.read(practiceSetting, z.boolean()) === true;
      if (!again || email === null || connection.state() !== 'reconnect') return;
      const which = connection.connectionNumber();
      const isSameConnection = (): boolean => connection.connectionNumber() === which && connection.who() !== null;
      const handleRenewalFailure = (): void => {
        log('error', 'the practice key could not be renewed');
        if (isSameConnection()) connection.markKeyDead();
        changed('app');
      };
      const renewPracticeKey = async (): Promise<void> => {
        await calm;
        await connectPracticePerson({ again: email }, isSameConnection);
      };
      connection.setRenewal(() => renewPracticeKey().catch(handleRenewalFailure));
    },
  };
};

type LifecycleContext = {
  config: CompanionConfig;
  services: CoreServices;
  approvals: ApprovalEngine;
  access: AssistantAccess;
  assistants: Pick<CompanionAssistants, 'builtIn'>;
  throttle: CompanionThrottle;
  listings: ListingsService;
  notifications: NotificationService;
  news: NewsNotifier;
  items: Items;
  photos: CompanionPhotos;
  standing: StandingMemory;
  upkeep: Maintenance;
  backups: Backups;
  exports: FileExports;
  watched: WatchedFolder;
  presence: Presence;
};

export type Lifecycle = ReturnType<typeof createLifecycle>;

/** Creates the functions that start and stop the companion and connect an account. */
export const createLifecycle = (context: LifecycleContext) => {
  const { services, access, throttle, listings, notifications, standing, upkeep } = context;
  const { connection, pageWatch, log } = services;
  let stopped = false;
  let stopping: Promise<string[]> | null = null;

  const resumeAllWork = (atStart: boolean): void => {
    if (connection.state() === 'connected') {
      access.leaveOtherAccounts();
      access.withdrawOfInactive();
    }
    upkeep.resume(atStart);
    throttle.resume();
    listings.resume(atStart);
    notifications.resume(atStart);
  };
  let resumed = false;
  const connecting = createConnectActions(context, () => {
    resumed = true;
    resumeAllWork(false);
  });
  const disconnectAccount = async (): Promise<void> => {
    standing.forget();
    pageWatch.stop();
    listings.stop();
    notifications.stop();
    await connecting.forget();
    access.leaveAccount();
  };

  const startWork = async (calm: Promise<void> | null): Promise<void> => {
    checkLedger(services);
    connecting.restore(calm);
    // Work needs the key, so the key is loaded first.
    if (calm === null) {
      await connection.key();
      resumeAllWork(true);
    } else
      calm
        .then(() => (stopped ? null : connection.key()))
        // If the person has already connected, work has already resumed.
        .then(() => stopped || resumed || resumeAllWork(true))
        .catch(() => log('error', 'unfinished work could not be resumed'));
    startBackgroundWork(context);
  };

  return {
    connect: { ...connecting, forget: disconnectAccount },
    /** Called after the person has revoked the key at the service, so no notification is shown. */
    keyRevoked: (): void => {
      connection.markKeyDead();
      disconnectAccount().catch(() => log('warn', 'the key could not be removed from the keychain'));
    },
    /**
     * Starts the companion. Unfinished work resumes when `calm` resolves, because until then an opening window needs
     * the processor. While the database is checked after a crash, nothing starts.
     */
    start: async (calm: Promise<void> | null = null): Promise<void> => {
      await removeFilesOfLastRun(context);
      if (services.dataCheck.findProblem() === null) return startWork(calm);
      startAfterCheck(services, async () => (stopped ? undefined : startWork(calm)));
    },
    /** Stops all parts and returns the names of those that did not stop in time. */
    stop: (): Promise<string[]> => {
      stopped = true;
      return (stopping ??= stopAllParts(context));
    },
    isStopped: (): boolean => stopped,
  };
};

const startAfterCheck = ({ dataCheck, log }: CoreServices, startWork: () => Promise<void>): void =>
  void dataCheck.passed.then(startWork).catch(() => log('error', 'the companion could not start its work'));

const checkLedger = ({ signedLedger, log }: CoreServices): void =>
  void signedLedger.check().catch(() => log('warn', 'the ledger could not be checked'));

/** Must end before a window can upload photos, because their unfinished files look the same. */
const removeFilesOfLastRun = ({ services, photos }: LifecycleContext): Promise<void> =>
  removeUnfinishedFiles([photos.preparedDir, photos.copiesDir, services.dir('bound-photos')]);

const startBackgroundWork = ({ services, upkeep, backups, watched, photos, presence }: LifecycleContext): void => {
  const { log, boundPhotos, approvalsTable } = services;
  presence.announceState();
  upkeep.start();
  backups.start();
  watched.start();
  photos.disk.cleanUp().catch(() => log('warn', 'prepared photos could not be cleaned up'));
  boundPhotos.sweep(approvalsTable.openPhotos()).catch(() => log('warn', 'kept photos could not be cleaned up'));
};

/** The database must be the last part, because the other parts write to it. */
const stopAllParts = (context: LifecycleContext): Promise<string[]> => {
  const { services, upkeep, approvals, throttle, listings, notifications, news, watched, items, presence } = context;
  const { locks, lostAnswers, pageWatch, signedLedger, dataCheck, db } = services;
  for (const { stop } of [
    presence,
    upkeep,
    approvals,
    lostAnswers,
    locks,
    throttle,
    pageWatch,
    listings,
    notifications,
    news,
  ])
    stop();
  const parts: StoppablePart[] = [
    { name: 'folder that is watched', stop: watched.stop },
    { name: 'items', stop: items.stop },
    { name: 'photo threads', stop: context.photos.workers.close },
    { name: 'check of the database', stop: dataCheck.stop },
    { name: 'exports', stop: context.exports.stop },
    { name: 'copy of the database', stop: context.backups.stop },
    { name: 'end of the ledger in the keychain', stop: signedLedger.stop },
    { name: 'database', stop: () => void db.close() },
  ];
  return stopParts(parts, services);
};
