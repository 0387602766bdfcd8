import type { Listing } from '../../contract/index.ts';
import { readListingId } from '../base/json.ts';
import type { CoreServices } from './coreServices.ts';
import type { AskerCheckContext, CheckAsker } from './askerCheck.ts';
import { type PerformContext, createPerformer, type Performer } from './perform.ts';
import type { Asker } from '../base/request.ts';
import { toWritingName } from '../service/pacing/lostAnswers.ts';
import { isUnknownAtService } from '../service/serviceError.ts';
import type { OpenPage } from '../service/personPages.ts';
import type { CompanionThrottle } from './openThrottle.ts';
import type { ListingReads, StandingMemory } from './keptAnswers.ts';
import type { CompanionAssistants } from './openAssistants.ts';
import type { ApprovalParts } from './openApprovals.ts';

/** Remembers requested generations: a second generation of a listing needs an approval. */
export const createGenerationMemory = ({
  generations,
  written,
  connection,
  clock,
  live,
  lostAnswers,
}: CoreServices): Pick<AskerCheckContext, 'known'> & Pick<PerformContext, 'generations'> => {
  const noteGenerationState = (
    account: string | null,
    listingId: string,
    state: 'sent' | 'started' | 'not_started',
    extras: string | null = null,
  ): void => {
    // Without a connection no request is sent.
    if (account !== null) generations.note(account, listingId, state, { at: clock.now(), extrasApproval: extras });
  };
  return {
    known: (route, input) => {
      const listingId = readListingId(input);
      // Read the disk only for generations: this runs with every request of every assistant.
      const state =
        route === 'generateListing' && listingId !== null ? generations.state(connection.account(), listingId) : null;
      return { ...live.findRoute(route), generatedBefore: state !== null && state !== 'not_started' };
    },
    generations: {
      sent: (account, listingId, extrasApproval) => {
        if (account !== null) lostAnswers.sent(toWritingName(account, listingId));
        noteGenerationState(account, listingId, 'sent', extrasApproval);
      },
      settled: (account, listingId, started) => {
        noteGenerationState(account, listingId, started ? 'started' : 'not_started');
        if (started && account !== null) written.beginAnew(account, listingId);
      },
    },
  };
};

type OpenPerformContext = {
  services: CoreServices;
  assistants: CompanionAssistants;
  approvalParts: ApprovalParts;
  throttle: CompanionThrottle;
  standing: StandingMemory;
  listingReads: ListingReads;
  checkAsker: CheckAsker;
  generations: PerformContext['generations'];
};

/** Creates the performer from the companion's parts. */
export const createCompanionPerformer = (context: OpenPerformContext): Performer => {
  const { services, assistants, approvalParts, throttle, standing, listingReads, checkAsker, generations } = context;
  const { offers, pages, scope, checkAccess } = assistants;
  const { approvals, extras, photoUploads, ownWrites, noteWrittenFields: wrote } = approvalParts;
  const isUnknownHere = ({ listingId }: Listing): boolean =>
    services.listings.statusOf(services.connection.account(), listingId) === null;
  return createPerformer({
    ...services,
    throttle: throttle.requests,
    checkAsker,
    generations,
    approvals,
    account: () => services.connection.who()?.account ?? null,
    pages,
    offers: {
      put: (by: Asker, page: OpenPage): void =>
        by.kind === 'person' ? offers.removeByKey(page.key) : offers.add(by, page),
      checkDismissed: offers.checkDismissed,
    },
    notePageGiven: services.pageWatch.opened,
    openUploads: photoUploads.open,
    whileAskingSlots: photoUploads.asking,
    scope,
    extras,
    ownWrites,
    noteWrittenFields: wrote,
    noteRequest: listingReads.noteRequest,
    checkAccess,
    onReadFailed: (input, error) => {
      const listingId = readListingId(input);
      if (listingId !== null && isUnknownAtService(error)) listingReads.noteMissing(listingId);
    },
    freshStanding: standing.read,
    keep: (route, answer, listings) => {
      // A new draft must not overwrite a listing that is already stored.
      listingReads.keepAll(route === 'createListing' ? listings.filter(isUnknownHere) : listings);
      if (route === 'readStanding') standing.keep(answer);
      approvals.learnAnswer(route, answer);
    },
  });
};
