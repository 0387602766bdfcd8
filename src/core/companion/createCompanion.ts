import type { Listing } from '../../contract/index.ts';
import { createBatches } from '../approvals/batches.ts';
import { createHistory } from '../approvals/ledger/history.ts';
import { createReceipts } from '../approvals/ledger/receipts.ts';
import type { Ports } from '../base/ports.ts';
import { addPhotos } from '../items/addPhotos.ts';
import { createListings } from '../listings/listings.ts';
import { createNews, type News } from '../notifications/news.ts';
import { createNoticeBoard } from '../notifications/noticeBoard.ts';
import { createBackups } from '../storage/backups.ts';
import { createAskerCheck } from './askerCheck.ts';
import { createAssistantAccess, openAssistants } from './openAssistants.ts';
import { companionApi } from './companionApi.ts';
import { openThrottle } from './openThrottle.ts';
import { openFoundation, type CompanionConfig, type Foundation } from './foundation.ts';
import { generationMemory, openPerform } from './openPerform.ts';
import { createLifecycle } from './lifecycle.ts';
import { createListingReads, createStandingMemory } from './keptAnswers.ts';
import { openItems } from './openItems.ts';
import { openPhotos } from './openPhotos.ts';
import { openQuestions } from './openQuestions.ts';
import { createUpkeep } from './upkeep.ts';
import { createWatchedFolder } from './watchedFolder.ts';

export type Companion = Awaited<ReturnType<typeof createCompanion>>;
export type { CompanionConfig } from './foundation.ts';

/** What asks the person, and the one way to the service. */
const openRequests = (foundation: Foundation, news: News, keyRevoked: () => void) => {
  const listingReads = createListingReads(foundation, news);
  const standing = createStandingMemory(foundation);
  const assistants = openAssistants(foundation);
  const { known, generations } = generationMemory(foundation);
  const checkAsker = createAskerCheck({ ...assistants, known });
  const questions = openQuestions({
    foundation,
    assistants,
    listingReads,
    checkAsker,
    generationStarted: (account, listingId) => generations.settled(account, listingId, true),
    keyRevoked,
  });
  const throttle = openThrottle(foundation, listingReads, standing);
  const shared = { foundation, assistants, questions, throttle, standing, listingReads };
  const performer = openPerform({ ...shared, checkAsker, generations });
  return { listingReads, standing, assistants, questions, throttle, performer };
};

/**
 * Wires the companion on one data folder. `start` resumes what was on its way; `stop` leaves everything as it is on
 * disk. The host holds the folder's lock. Throws a `Problem` when the folder is unwritable or from a newer version.
 */
export const createCompanion = async (config: CompanionConfig, ports: Ports) => {
  const foundation = await openFoundation(config, ports);
  const news = createNews(foundation);
  const requests = openRequests(foundation, news, () => lifecycle.keyRevoked());
  const { listingReads, assistants, performer } = requests;
  const { approvals } = requests.questions;
  const working = { ...foundation, perform: performer.perform };
  const listings = createListings({ ...working, forget: listingReads.forget });
  const notifications = createNoticeBoard(working);
  const photos = openPhotos(foundation, config.startKitchen);
  const items = openItems(foundation, { ...requests, perform: performer.perform, photos });
  listingReads.onKept((listing: Listing) => items.follow(listing));
  listingReads.onForgotten(items.listingDeleted);
  const add = addPhotos(items, photos.intake, foundation.settings.settings);
  const watched = createWatchedFolder(foundation, config.dataDir, add);
  const access = createAssistantAccess({ foundation, ...assistants, approvals });
  const upkeep = createUpkeep(foundation, approvals, items, performer.perform);
  const backups = createBackups(foundation);
  const parts = {
    ...requests,
    ...{ config, foundation, approvals, access, listings, notifications, news },
    ...{ items, photos, upkeep, backups, watched },
  };
  const lifecycle = createLifecycle(parts);

  return {
    ...companionApi({ ...parts, add, lifecycle }),
    ...lifecycle,
    batches: createBatches({
      ...foundation,
      account: foundation.connection.account,
      approvals,
      nameLike: assistants.assistants.nameLike,
      askInBatch: performer.askInBatch,
    }),
    searchHistory: createHistory(foundation),
    receipts: createReceipts(foundation),
  };
};
