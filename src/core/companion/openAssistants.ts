import type { RouteName } from '../../contract/index.ts';
import type { Money } from '../storage/tables/approvalRecord.ts';
import type { Items } from '../items/items.ts';
import type { Foundation } from './foundation.ts';
import type { Perform } from '../base/request.ts';
import type { PhotosOfCompanion } from './openPhotos.ts';
import type { PhotoUploads } from '../photos/photoUploads.ts';
import { problem } from '../base/problem.ts';
import { createActivity } from '../assistants/activity.ts';
import { createAssistants } from '../assistants/assistants.ts';
import { createAssistantWork } from '../assistants/assistantWork.ts';
import { createBudget } from '../assistants/budget.ts';
import { createListingPhotos } from '../assistants/listingPhotos.ts';
import { createOffers } from '../assistants/offers.ts';
import { createOpenPages } from '../service/openPages.ts';
import { createScope } from '../assistants/scope.ts';
import { assistantsTable } from '../storage/tables/assistantsTable.ts';
import { listingMakersTable } from '../storage/tables/listingMakersTable.ts';
import { pairingsTable } from '../storage/tables/pairingsTable.ts';
import type { Asker } from '../base/asker.ts';

type Work = {
  perform: Perform;
  items: Items;
  photos: PhotosOfCompanion;
  photoUploads: PhotoUploads;
};

export type AssistantsOfCompanion = ReturnType<typeof openAssistants>;

/** The assistants on the core's parts: who they are, what each may do and spend, what they did, which pages they asked for. */
export const openAssistants = (parts: Foundation) => {
  const { db, clock, changed, connection, approvalsTable, ledger, access } = parts;
  const assistants = createAssistants({
    db,
    table: assistantsTable(db),
    pairingsTable: pairingsTable(db),
    clock,
    changed,
    ledger,
    access,
    account: () => connection.who()?.account ?? null,
  });
  const { limits } = assistants;
  const budget = createBudget(approvalsTable, clock, connection.account);
  const scope = createScope(listingMakersTable(db), connection.account, limits);
  return {
    assistants: { ...assistants, list: () => assistants.list(connection.who() ? budget.used : undefined) },
    scope,
    offers: createOffers(clock, changed),
    pages: createOpenPages(clock, () => connection.who()?.account ?? null),
    activity: createActivity(clock, changed),
    checkBudget: (by: Asker, route: RouteName, money: Money | null, except?: string) =>
      budget.check(limits, by, route, money, except),
    /** Throws when an assistant is paused, or not let in any more. */
    checkAccess: (by: Asker): void => {
      if (by.kind === 'assistant' && !assistants.isActive(by.assistantId)) throw problem('ASSISTANT_PAUSED');
    },
    /** Whether somebody may put photos on that listing now. */
    mayUpload: (by: Asker, listingId: string): boolean =>
      (by.kind === 'person' || assistants.isActive(by.assistantId)) && scope.mayDraft(by, listingId),
    /** What they do with photos on this machine. */
    work: ({ perform, items, photos, photoUploads }: Work) => {
      const { intake, workers, preparedDir } = photos;
      const settings = parts.settings.settings;
      const listingPhotos = createListingPhotos({ perform, workers, photoUploads, settings, preparedDir });
      return createAssistantWork({
        ...parts,
        intake,
        items,
        scope,
        limits,
        listingPhotos,
        uploadLine: photoUploads.line,
      });
    },
  };
};
