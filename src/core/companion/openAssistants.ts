import * as z from 'zod';
import type { ApprovalEngine } from '../approvals/approvals.ts';
import { createProblemText, type ProblemText, createProblem } from '../base/problem.ts';
import { respellFolders } from '../assistants/respellFolders.ts';
import { createActivityLog } from '../assistants/activity.ts';
import { createBuiltInAssistant, createAssistantRegistry, type AssistantRegistry } from '../assistants/assistants.ts';
import type { AssistantChanges } from '../assistants/assistant.ts';
import { type OfferStore, createOfferStore } from '../assistants/offers.ts';
import type { CoreServices } from './coreServices.ts';
import type { RouteName } from '../../contract/index.ts';
import type { PromptMoney } from '../storage/tables/approvalRecord.ts';
import type { Items } from '../items/items.ts';
import type { Perform, Asker } from '../base/request.ts';
import type { ListingPictures, CompanionPhotos } from './openPhotos.ts';
import type { PhotoUploads } from '../photos/photoUploads.ts';
import { createAssistantPhotoService } from '../assistants/assistantWork.ts';
import { createAssistantBudget, createAccessScope } from '../assistants/scope.ts';
import { createListingPhotoUploader } from '../assistants/listingPhotos.ts';
import { createOpenPageStore } from '../service/personPages.ts';
import { createAssistantsTable, createPairingsTable } from '../storage/tables/assistantsTable.ts';
import { recogniseLabelSku, type LabelContext } from '../shelf/labelPhotos.ts';
import { createListingMakersTable } from '../storage/tables/listings/listingsTable.ts';

/** The account that was connected last. If another account connects, pending approvals and pairings end. */
const lastAccountSetting = 'last account';

type AccessContext = {
  services: CoreServices;
  assistants: AssistantRegistry;
  approvals: ApprovalEngine;
  offers: OfferStore;
};

export type AssistantAccess = ReturnType<typeof createAssistantAccess>;

/** Creates the functions that end the access of assistants. Their approvals and page offers end too. */
export const createAssistantAccess = ({ services, assistants, approvals, offers }: AccessContext) => {
  const { connection, settings, approvalsTable } = services;

  const withdrawAssistantApprovals = (assistantId: string, reason: ProblemText): void => {
    if (connection.who()) approvals.withdrawAll(connection.account(), assistantId, reason);
  };
  const change = (assistantId: string, changes: AssistantChanges): void => {
    assistants.change(assistantId, changes);
    if (!changes.paused) return;
    offers.forget(assistantId);
    withdrawAssistantApprovals(assistantId, createProblemText('APPROVAL_WITHDRAWN.paused'));
  };

  return {
    change,
    pause: (assistantId: string): void => change(assistantId, { paused: true }),
    revoke: (assistantId: string): void => {
      assistants.revoke(assistantId);
      offers.forget(assistantId);
      withdrawAssistantApprovals(assistantId, createProblemText('APPROVAL_WITHDRAWN.revoked'));
    },
    /** Called when the account disconnects. Ends the pending pairings, because they belong to that account. */
    leaveAccount: assistants.accountChanged,
    /** Withdraws approvals of other accounts, because a request must never run on another account. */
    leaveOtherAccounts: (): void => {
      const account = connection.account();
      const before = settings.read(lastAccountSetting, z.string());
      if (before !== null && before !== account) assistants.accountChanged();
      settings.write(lastAccountSetting, account);
      assistants.adopt();
      for (const other of approvalsTable.waitingAccounts())
        if (other !== account) approvals.withdrawAll(other, null, createProblemText('APPROVAL_WITHDRAWN.account'));
    },
    /** Withdraws the approvals of suspended and revoked assistants. A restored backup can contain such approvals. */
    withdrawOfInactive: (): void => {
      const waiting = approvalsTable.inState(connection.account(), 'pending', 'approved');
      const askers = waiting.flatMap(({ asker }) => (asker.kind === 'assistant' ? [asker.assistantId] : []));
      for (const assistantId of new Set(askers))
        if (!assistants.isActive(assistantId))
          withdrawAssistantApprovals(assistantId, createProblemText('APPROVAL_WITHDRAWN.paused'));
    },
  };
};

type AssistantWorkParts = {
  perform: Perform;
  items: Items;
  photos: CompanionPhotos;
  photoUploads: PhotoUploads;
  pictures: ListingPictures;
};

export type CompanionAssistants = ReturnType<typeof openAssistantParts>;

/** Returns whether a photo is a label for this asker, from the texts of its codes. */
const createLabelCheck =
  (context: LabelContext & Pick<CoreServices, 'connection'>) =>
  (by: Asker, texts: readonly string[]): boolean =>
    recogniseLabelSku(context, { account: context.connection.account(), by }, texts) !== null;

/** Creates the parts that handle assistants: pairing, scope, budget, activity and page offers. */
export const openAssistantParts = (parts: CoreServices) => {
  const { db, clock, ages, changed, connection, approvalsTable, ledger, access, listings, settings, pageLinks } = parts;
  respellFolders(db, settings);
  const account = (): string | null => connection.who()?.account ?? null;
  const assistants = createAssistantRegistry({
    db,
    table: createAssistantsTable(db),
    pairingsTable: createPairingsTable(db),
    clock,
    ages,
    changed,
    ledger,
    access,
    account,
  });
  const { limits } = assistants;
  const budget = createAssistantBudget(approvalsTable, ages, connection.account);
  const scope = createAccessScope(createListingMakersTable(db), connection.account, limits);
  const checkAccess = (by: Asker): void => {
    if (by.kind === 'assistant' && !assistants.isActive(by.assistantId)) throw createProblem('ASSISTANT_PAUSED');
  };
  const maySeeShelf = (by: Asker): boolean => by.kind === 'person' || limits(by.assistantId)?.shelf === true;
  const titleOf = (listingId: string): string | null => {
    const now = account();
    return now === null ? null : (listings.read(now, listingId)?.title ?? null);
  };
  return {
    assistants: { ...assistants, list: () => assistants.list(connection.who() ? budget.used : undefined) },
    builtIn: createBuiltInAssistant({ db, settings, account, assistants }),
    scope,
    offers: createOfferStore(clock, changed, pageLinks),
    pages: createOpenPageStore(clock, account),
    activity: createActivityLog({ clock, changed, titleOf }),
    checkBudget: (by: Asker, route: RouteName, money: PromptMoney | null, except?: readonly string[]) =>
      budget.check(limits, by, { route, money, except }),
    /** Throws `ASSISTANT_PAUSED` if the assistant is paused or no longer paired. */
    checkAccess,
    maySeeShelf,
    mayUpload: (by: Asker, listingId: string): boolean =>
      (by.kind === 'person' || assistants.isActive(by.assistantId)) && scope.mayDraft(by, listingId),
    work: ({ perform, items, photos, photoUploads, pictures }: AssistantWorkParts) => {
      const { intake, workers, preparedDir } = photos;
      const read = settings.settings;
      const isLabel = createLabelCheck({ ...parts, table: parts.itemsTable, settings: read, maySeeShelf });
      const listingPhotos = createListingPhotoUploader({
        ...{ perform, workers, photoUploads, settings: read, preparedDir, isLabel },
      });
      return createAssistantPhotoService({
        ...parts,
        intake,
        items,
        scope,
        limits,
        checkAccess,
        listingPhotos,
        pictures,
        uploadLine: photoUploads.line,
      });
    },
  };
};
