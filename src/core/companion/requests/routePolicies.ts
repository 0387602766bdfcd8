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

/** The policies by route; a route without a row has nothing special. */
const routePolicies: Partial<Record<RouteName, RoutePolicy>> = {
  startSignIn: { isCoreOnly: true },
  verifySignIn: { isCoreOnly: true },
  readStanding: { keepAnswer: ({ standing }, answer) => standing.keep(answer), hideFields: hideOthersExtras },
  listListings: { findListings: findListedListings },
  createListing: { makesDraft: true, findListings: findOneListing },
  requestUploads: { sendInside: sendAsUpload, replaceAnswer: openUploadAddresses },
  readListing: { noteFailure: noteIfMissing, findListings: findOwnListing },
  // The interface does not document the answers of an edit and a revert; they may be the listing.
  updateListing: { findListings: findOwnListing },
  revertListing: { findListings: findOwnListing },
  // The answer names another listing than the request; it was already read again at this point.
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
