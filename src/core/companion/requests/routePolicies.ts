import type { RouteName } from '../../../contract/index.ts';
import { findListedListings, findOneListing, findOwnListing } from './answeredListings.ts';
import {
  noteGenerationSending,
  noteGenerationStarted,
  refuseOthersExtras,
  undoGenerationSending,
  wouldChargeExtra,
} from './generationSteps.ts';
import type { RoutePolicy } from './routePolicy.ts';
import { hideOthersExtras, noteIfMissing, openUploadAddresses, sendAsUpload } from './routeSteps.ts';

const routePolicies: Partial<Record<RouteName, RoutePolicy>> = {
  startSignIn: { isCoreOnly: true },
  verifySignIn: { isCoreOnly: true },
  readStanding: { keepAnswer: ({ standing }, answer) => standing.keep(answer), hideFields: hideOthersExtras },
  listListings: { findListings: findListedListings },
  createListing: { makesDraft: true, findListings: findOneListing },
  requestUploads: { sendInside: sendAsUpload, replaceAnswer: openUploadAddresses },
  readListing: { noteFailure: noteIfMissing, findListings: findOwnListing },
  // The interface does not document these answers, but they can be the listing.
  updateListing: { findListings: findOwnListing },
  revertListing: { findListings: findOwnListing },
  // A relist can create another listing. The client has already read that listing again.
  relistListing: { findListings: findOneListing },
  generateListing: {
    isAdmittedEarly: true,
    checkSpending: refuseOthersExtras,
    wouldChargeExtra,
    noteSending: noteGenerationSending,
    undoSending: undoGenerationSending,
    noteAccepted: noteGenerationStarted,
  },
};

const defaultPolicy: RoutePolicy = {};

/** Returns the policy of a route. */
export const findRoutePolicy = (route: RouteName): RoutePolicy => routePolicies[route] ?? defaultPolicy;
