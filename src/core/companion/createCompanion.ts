import type { Listing } from '../../contract/index.ts';
import { createBatches } from '../approvals/batches.ts';
import { createHistory } from '../approvals/history.ts';
import { createReceipts } from '../approvals/receipts.ts';
import type { Ports } from '../base/ports.ts';
import { addPhotos } from '../items/addPhotos.ts';
import { createListings } from '../listings/listings.ts';
import { createNews } from '../notifications/news.ts';
import { createNoticeBoard } from '../notifications/noticeBoard.ts';
import { createBackups } from '../storage/backups.ts';
import { createAskerCheck } from './askerCheck.ts';
import { createAssistantAccess } from './assistantAccess.ts';
import { companionApi } from './companionApi.ts';
import { openThrottle } from './createThrottle.ts';
import { openFoundation, type CompanionConfig } from './foundation.ts';
import { generationMemory } from './generationMemory.ts';
import { createLifecycle } from './lifecycle.ts';
import { createListingReads } from './listingReads.ts';
import { openAssistants } from './openAssistants.ts';
import { openItems } from './openItems.ts';
import { openPerform } from './openPerform.ts';
import { openPhotos } from './openPhotos.ts';
import { openQuestions } from './openQuestions.ts';
import { createStandingMemory } from './standing.ts';
import { createUpkeep } from './upkeep.ts';
import { createWatchedFolder } from './watchedFolder.ts';

export type Companion = Awaited<ReturnType<typeof createCompanion>>;
export type { CompanionConfig } from './foundation.ts';

/**
 * Wires the companion on one data folder. `start` takes up what was on its way; `stop` leaves everything as it is on
 * disk. The host holds the folder's lock. Throws a `Problem` when the folder is unwritable or from a newer version.
 */
export const createCompanion = async (config: CompanionConfig, ports: Ports) => {
  const foundation = await openFoundation(config, ports);
  const news = createNews(foundation);
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
    generationStarted: (listingId) => generations.settled(listingId, true),
    keyRevoked: () => lifecycle.keyRevoked(),
  });
  const { approvals } = questions;
  const throttle = openThrottle(foundation, listingReads, standing);
  const door = openPerform({
    foundation,
    assistants,
    questions,
    throttle,
    standing,
    listingReads,
    checkAsker,
    generations,
  });
  const working = { ...foundation, perform: door.perform };
  const listings = createListings({ ...working, forget: listingReads.forget });
  const notifications = createNoticeBoard(working);
  const photos = openPhotos(foundation, config.photoWorkerUrl);
  const items = openItems(foundation, { perform: door.perform, photos, questions, throttle, standing });
  listingReads.onKept((listing: Listing) => items.follow(listing));
  listingReads.onForgotten(items.listingDeleted);
  const add = addPhotos(items, photos.intake, foundation.settings.settings);
  const watched = createWatchedFolder(foundation, config.dataDir, add);
  const access = createAssistantAccess({ foundation, ...assistants, approvals });
  const upkeep = createUpkeep(foundation, approvals, items, door.perform);
  const backups = createBackups(foundation);
  const parts = { config, foundation, approvals, access, throttle, listings, notifications, news };
  const lifecycle = createLifecycle({ ...parts, items, photos, standing, upkeep, backups, watched });

  return {
    ...companionApi({
      ...parts,
      assistants,
      questions,
      door,
      items,
      photos,
      standing,
      upkeep,
      backups,
      watched,
      add,
      lifecycle,
    }),
    ...lifecycle,
    batches: createBatches({
      ...foundation,
      account: foundation.connection.account,
      approvals,
      nameLike: assistants.assistants.nameLike,
      askInBatch: door.askInBatch,
    }),
    searchHistory: createHistory(foundation),
    receipts: createReceipts(foundation),
  };
};
