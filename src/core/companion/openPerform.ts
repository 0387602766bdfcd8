import type { Asker } from '../base/asker.ts';
import type { OpenPage } from '../service/openPages.ts';
import type { CheckAsker } from './askerCheck.ts';
import type { CompanionThrottle } from './createThrottle.ts';
import type { Foundation } from './foundation.ts';
import type { ListingReads } from './listingReads.ts';
import type { AssistantsOfCompanion } from './openAssistants.ts';
import type { Questions } from './openQuestions.ts';
import { createPerformer, type PerformContext, type Performer } from './perform.ts';
import type { StandingMemory } from './standing.ts';

type OpenPerformContext = {
  foundation: Foundation;
  assistants: AssistantsOfCompanion;
  questions: Questions;
  throttle: CompanionThrottle;
  standing: StandingMemory;
  listingReads: ListingReads;
  checkAsker: CheckAsker;
  generations: PerformContext['generations'];
};

/** The one way to the service, on the companion's parts. */
export const openPerform = (context: OpenPerformContext): Performer => {
  const { foundation, assistants, questions, throttle, standing, listingReads, checkAsker, generations } = context;
  const { offers, pages, scope, checkAccess } = assistants;
  const { approvals, extras, photoUploads, wrote } = questions;
  return createPerformer({
    ...foundation,
    throttle: throttle.requests,
    checkAsker,
    generations,
    approvals,
    account: () => foundation.connection.who()?.account ?? null,
    pages,
    offerPage: (by: Asker, page: OpenPage): void =>
      by.kind === 'person' ? offers.ended(page.key) : offers.add(by, page),
    pageGiven: foundation.pageWatch.opened,
    openUploads: photoUploads.open,
    whileAskingSlots: photoUploads.asking,
    scope,
    extras,
    wrote,
    checkAccess,
    freshStanding: standing.read,
    keep: (route, answer, listings) => {
      listingReads.keepAll(listings);
      if (route === 'readStanding') standing.keep(answer);
    },
  });
};
