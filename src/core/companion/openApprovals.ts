import { createOwnWrites, type OwnWrites } from '../approvals/checks/ownWrites.ts';
import { type RouteName, routesOfChannels } from '../../contract/index.ts';
import { createApprovals, type Approvals } from '../approvals/approvals.ts';
import type { ApprovalsContext } from '../approvals/approvalsContext.ts';
import { knownReads } from '../approvals/checks/knownReads.ts';
import { createExtrasOwners, noteExtras, type ExtrasOwners } from '../approvals/extrasOwners.ts';
import { createMovingFields } from '../approvals/subject.ts';
import { isConnectedAs } from '../approvals/ownReadings.ts';
import { maySettle } from '../approvals/reconcile.ts';
import { promptReads } from '../approvals/promptReads.ts';
import { accountActs } from '../approvals/prompts/account.ts';
import { setupActs } from '../approvals/prompts/setup.ts';
import { recordOf } from '../base/json.ts';
import { createPhotoUploads, type PhotoUploads } from '../photos/photoUploads.ts';
import { pageOf } from '../service/personPages.ts';
import { extrasTable } from '../storage/tables/extrasTable.ts';
import { fieldMovesTable } from '../storage/tables/fieldMovesTable.ts';
import type { CheckAsker } from './askerCheck.ts';
import type { CoreServices } from './coreServices.ts';
import type { ListingReads } from './keptAnswers.ts';
import type { AssistantsOfCompanion } from './openAssistants.ts';

type ApprovalPartsContext = {
  services: CoreServices;
  assistants: AssistantsOfCompanion;
  listingReads: ListingReads;
  checkAsker: CheckAsker;
  /** Notes that a listing of the account is being generated. */
  generationStarted: (account: string, listingId: string) => void;
  /** Called when the person revoked the key at the service. */
  keyRevoked: () => void;
};

/** The parts that create approvals, and the data that they are bound to. */
export type ApprovalParts = {
  approvals: Approvals;
  extras: ExtrasOwners;
  photoUploads: PhotoUploads;
  ownWrites: OwnWrites;
  /** Notes which fields of a listing a local request wrote. */
  wrote: (body: unknown) => void;
};

export const openApprovals = (context: ApprovalPartsContext): ApprovalParts => {
  const { services, assistants, listingReads, checkAsker } = context;
  const { connection, db, clock, ages, locks, answers, settings, boundPhotos } = services;
  const { keep, forget } = listingReads;
  const extras = createExtrasOwners({ table: extrasTable(db), clock, ages, account: connection.account });
  const moving = createMovingFields(fieldMovesTable(db));
  const photoUploads = createPhotoUploads({
    ...services,
    account: () => connection.who()?.account ?? null,
    mayUpload: assistants.mayUpload,
    write: (listingId, work) => locks.write(listingId, work).finally(() => answers.invalidate(listingId)),
  });
  const reads = promptReads(services, extras, keep);
  const ownWrites = createOwnWrites(clock);
  const approvals = createApprovals({
    ...services,
    table: services.approvalsTable,
    ownWrites,
    settings: settings.settings,
    account: connection.account,
    keyPrint: connection.keyPrint,
    moving,
    reads: reads.shown,
    readsAtYes: reads.atYes,
    readsAfterNotice: reads.afterNotice,
    known: knownReads(services),
    livePhotos: boundPhotos.read,
    uploads: photoUploads,
    keep,
    forget,
    checkBudget: assistants.checkBudget,
    checkAsker: (by, route, input) => {
      checkAsker(by, route, input);
      assistants.scope.checkAct(by, route, true);
    },
    nameLike: assistants.assistants.nameLike,
    isQuiet: assistants.builtIn.is,
    answered: followAnswers(context, extras),
  });
  return { approvals, extras, photoUploads, ownWrites, wrote: (body) => moving.written(connection.account(), body) };
};

/** Creates the handler that updates the companion after the service performed an approved request. */
const followAnswers =
  (
    { services, assistants, listingReads, generationStarted, keyRevoked }: ApprovalPartsContext,
    extras: ExtrasOwners,
  ): ApprovalsContext['answered'] =>
  (row, answer) => {
    const { route } = row;
    const { connection } = services;
    noteExtras(extras, row, answer);
    if (route === 'generateListing' && row.listing_id !== null) generationStarted(row.account, row.listing_id);
    // The rest concerns the connected account only.
    if (!isConnectedAs(connection, row.account)) return;
    listingReads.asked(row.asker, route, row.subject.request.input);
    // The page is already in the answer to the approval; no offer is needed.
    const { params, body } = recordOf(row.subject.request.input);
    assistants.pages.note(route, { params, body }, { status: 200, answer });
    if (route === 'disconnectMarket') assistants.pages.forget('readMarketAuthUrl');
    if (row.asker.kind === 'person' && pageOf(route) !== null) services.pageWatch.opened();
    const changes = (acts: Partial<Record<RouteName, unknown>>): boolean => Object.hasOwn(acts, route);
    if (routesOfChannels.includes(route)) services.changed('listings');
    if (changes(setupActs)) services.changed('setup');
    if (changes(accountActs)) services.changed('account');
    if (route === 'revokeCurrentKey' && maySettle(row, connection.keyPrint())) keyRevoked();
  };
