import type { Tool } from '../tool.ts';
import { callService, listServiceRoutes } from './serviceTools.ts';
import { changeLiveListing, endListing, publishListing, quoteFees, relist } from './publishTools.ts';
import { createListingFromPhotos } from './itemTools.ts';
import { checkRequest, withdrawRequest } from './requestTools.ts';
import { editListing, getListing, listListings, viewPhotos } from './listingTools.ts';
import { findCategory, findComparablePrices } from './catalogueTools.ts';
import { readNotifications, readSales } from './salesTools.ts';
import { getStanding } from './getStanding.ts';

export const tools: readonly Tool[] = [
  getStanding,
  listListings,
  getListing,
  viewPhotos,
  createListingFromPhotos,
  checkRequest,
  withdrawRequest,
  editListing,
  quoteFees,
  publishListing,
  changeLiveListing,
  endListing,
  relist,
  findCategory,
  findComparablePrices,
  readSales,
  readNotifications,
  listServiceRoutes,
  callService,
];
