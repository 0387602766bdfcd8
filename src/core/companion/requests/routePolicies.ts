import type { RouteName } from '../../../contract/index.ts';
import { findListedListings, findOneListing, findOwnListing, type RoutePolicy } from './routePolicy.ts';
import {
  recordGenerationSending,
  recordGenerationStarted,
  refuseExtrasOfOthers,
  undoGenerationSending,
  wouldChargeExtra,
  hideExtrasOfOthers,
  markIfMissing,
  ownListings,
  ownNotifications,
  replaceUploadSlots,
  sendAsUpload,
} from './routeSteps.ts';

const routePolicies: Partial<Record<RouteName, RoutePolicy>> = {
  startSignIn: { isCoreOnly: true },
  verifySignIn: { isCoreOnly: true },
  readStanding: { keepAnswer: ({ standing }, answer) => standing.keep(answer), hideFields: hideExtrasOfOthers },
  listListings: { findListings: findListedListings, ownPart: ownListings },
  listNotifications: { ownPart: ownNotifications },
  readNotification: { isWholeShop: true },
  markNotificationsViewed: { isWholeShop: true },
  readInsightsSummary: { isWholeShop: true },
  readInventory: { isWholeShop: true },
  readItemSales: { isWholeShop: true },
  readDaySales: { isWholeShop: true },
  createListing: { makesDraft: true, findListings: findOneListing },
  requestUploads: { sendInside: sendAsUpload, replaceAnswer: replaceUploadSlots },
  readListing: { noteFailure: markIfMissing, findListings: findOwnListing },
  // The interface does not document these answers, but they can be the listing.
  updateListing: { findListings: findOwnListing },
  revertListing: { findListings: findOwnListing },
  // A relist can create another listing. The client has already read that listing again.
  relistListing: { findListings: findOneListing },
  generateListing: {
    isAdmittedEarly: true,
    checkSpending: refuseExtrasOfOthers,
    wouldChargeExtra,
    noteSending: recordGenerationSending,
    undoSending: undoGenerationSending,
    noteAccepted: recordGenerationStarted,
  },
};

const defaultPolicy: RoutePolicy = {};

/** Returns the policy of a route. */
export const getRoutePolicy = (route: RouteName): RoutePolicy => routePolicies[route] ?? defaultPolicy;
