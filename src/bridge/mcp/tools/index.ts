import type { Tool } from '../tool.ts';
import { callService } from './callService.ts';
import { changeLiveListing } from './changeLiveListing.ts';
import { checkRequest } from './checkRequest.ts';
import { createListingFromPhotos } from './createListingFromPhotos.ts';
import { editListing } from './editListing.ts';
import { endListing } from './endListing.ts';
import { findCategory } from './findCategory.ts';
import { findComparablePrices } from './findComparablePrices.ts';
import { getListing } from './getListing.ts';
import { getStanding } from './getStanding.ts';
import { listListings } from './listListings.ts';
import { listServiceRoutes } from './listServiceRoutes.ts';
import { publishListing } from './publishListing.ts';
import { quoteFees } from './quoteFees.ts';
import { relist } from './relist.ts';

/** Every tool, in the order of the work. */
export const tools: readonly Tool[] = [
  getStanding,
  listListings,
  getListing,
  createListingFromPhotos,
  checkRequest,
  editListing,
  quoteFees,
  publishListing,
  changeLiveListing,
  endListing,
  relist,
  findCategory,
  findComparablePrices,
  listServiceRoutes,
  callService,
];
