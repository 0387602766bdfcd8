import { createOwnWriteTracker, type OwnWriteTracker } from '../approvals/checks/ownWrites.ts';
import { type RouteName, channelActRoutes } from '../../contract/index.ts';
import { createApprovalEngine, type ApprovalEngine } from '../approvals/approvals.ts';
import type { ApprovalsContext } from '../approvals/approvalsContext.ts';
import { createKnownStateReader } from '../approvals/checks/knownReads.ts';
import { createExtrasTracker, recordExtrasOutcome, type ExtrasTracker } from '../approvals/extrasOwners.ts';
import { createVolatileFields } from '../approvals/subject.ts';
import { isAccountConnectedWithKey } from '../approvals/outcomes/outcomeReads.ts';
import { canReadsShowOutcome } from '../approvals/outcomes/reconcile.ts';
import { createPromptReads } from '../approvals/prompts/promptReads.ts';
import { accountPrompts } from '../approvals/prompts/account.ts';
import { setupPrompts } from '../approvals/prompts/setup.ts';
import { toRecordOrEmpty } from '../base/json.ts';
import type { ApprovalProofs } from '../presence/presence.ts';
import { createPhotoUploads, type PhotoUploads } from '../photos/photoUploads.ts';
import { describePersonPage } from '../service/personPages.ts';
import { createExtrasTable } from '../storage/tables/extrasTable.ts';
import { createFieldMovesTable } from '../storage/tables/fieldMovesTable.ts';
import type { CheckAsker, IsChangingPhotos } from './askerCheck.ts';
import type { CoreServices } from './coreServices.ts';
import type { ListingReads } from './keptAnswers.ts';
import type { CompanionAssistants } from './openAssistants.ts';

type ApprovalPartsContext = {
  services: CoreServices;
  assistants: CompanionAssistants;
  listingReads: ListingReads;
  checkAsker: CheckAsker;
  isChangingPhotos: IsChangingPhotos;
  proofs: ApprovalProofs;
  generationStarted: (account: string, listingId: string) => void;
  /** Called after a request was carried out that makes an item needless. */
  itemAdded: () => void;
  /** Called after the person has revoked the key at the service. */
  keyRevoked: () => void;
};

export type ApprovalParts = {
  approvals: ApprovalEngine;
  extras: ExtrasTracker;
  photoUploads: PhotoUploads;
  ownWrites: OwnWriteTracker;
  /** Records which fields of a listing a local request has changed. */
  noteWrittenFields: (body: unknown) => void;
};

export const openApprovalParts = (context: ApprovalPartsContext): ApprovalParts => {
  const { services, assistants, listingReads, checkAsker, proofs, isChangingPhotos } = context;
  const { connection, db, clock, ages, locks, answers, settings, boundPhotos } = services;
  const extras = createExtrasTracker({ table: createExtrasTable(db), clock, ages, account: connection.account });
  const moving = createVolatileFields(createFieldMovesTable(db));
  const photoUploads = createPhotoUploads({
    ...services,
    account: () => connection.who()?.account ?? null,
    mayUpload: (by, listingId) => !isChangingPhotos(listingId) && assistants.mayUpload(by, listingId),
    write: (listingId, work) => locks.runWrite(listingId, work).finally(() => answers.invalidate(listingId)),
  });
  const reads = createPromptReads(services, extras, listingReads.keep);
  const ownWrites = createOwnWriteTracker(clock);
  const approvals = createApprovalEngine({
    ...services,
    table: services.approvalsTable,
    proofs,
    ownWrites,
    settings: settings.settings,
    account: connection.account,
    keyPrint: connection.keyPrint,
    volatileFields: moving,
    reads: reads.shown,
    readsAtApproval: reads.atApproval,
    readsAfterNotice: reads.afterNotice,
    knownState: createKnownStateReader(services),
    livePhotos: boundPhotos.read,
    uploads: { ...photoUploads, changing: isChangingPhotos },
    cacheListing: listingReads.keep,
    forgetListing: listingReads.forget,
    checkBudget: assistants.checkBudget,
    checkAsker: (by, route, input) => {
      checkAsker(by, route, input);
      assistants.scope.checkAct(by, route, true);
    },
    findLikeName: assistants.assistants.nameLike,
    isQuiet: assistants.builtIn.isBuiltIn,
    onAnswered: createAnswerHandler(context, extras),
  });
  return {
    approvals,
    extras,
    photoUploads,
    ownWrites,
    noteWrittenFields: (body) => moving.noteWritten(connection.account(), body),
  };
};

/** Updates the companion after the service has run an approved request. */
const createAnswerHandler =
  (
    { services, assistants, listingReads, generationStarted, itemAdded, keyRevoked }: ApprovalPartsContext,
    extras: ExtrasTracker,
  ): ApprovalsContext['onAnswered'] =>
  (row, answer) => {
    const { route } = row;
    const { connection } = services;
    recordExtrasOutcome(extras, row, answer);
    if (route === 'generateListing' && row.listing_id !== null) generationStarted(row.account, row.listing_id);
    // The steps below are only for the connected account.
    if (!isAccountConnectedWithKey(connection, row.account)) return;
    listingReads.noteRequest(row.asker, route, row.subject.request.input);
    // The response already contains the page, so the person needs no page offer.
    const { params, body } = toRecordOrEmpty(row.subject.request.input);
    assistants.pages.note(route, { params, body }, { status: 200, answer });
    if (route === 'disconnectMarket') assistants.pages.forget('readMarketAuthUrl');
    if (row.asker.kind === 'person' && describePersonPage(route) !== null) services.pageWatch.opened();
    const includesThisRoute = (acts: Partial<Record<RouteName, unknown>>): boolean => Object.hasOwn(acts, route);
    if (row.added_item_id !== null) itemAdded();
    if (channelActRoutes.includes(route)) services.changed('listings');
    if (includesThisRoute(setupPrompts)) services.changed('setup');
    if (includesThisRoute(accountPrompts)) services.changed('account');
    if (route === 'revokeCurrentKey' && canReadsShowOutcome(row, connection.keyPrint())) keyRevoked();
  };
