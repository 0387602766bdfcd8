import { sql as first } from './0001-first.ts';
import { sql as assistants } from './0002-assistants.ts';
import { sql as photos } from './0003-photos.ts';
import { sql as listingsSearch } from './0004-listings-search.ts';
import { sql as written } from './0005-written.ts';
import { sql as signedLedger } from './0006-signed-ledger.ts';
import { sql as boundPhotos } from './0007-bound-photos.ts';
import { sql as subjects } from './0008-subjects.ts';
import { sql as access } from './0009-access.ts';
import { sql as photoRoots } from './0010-photo-roots.ts';
import { sql as itemPages } from './0011-item-pages.ts';
import { sql as pairingAccess } from './0012-pairing-access.ts';
import { sql as templates } from './0013-templates.ts';
import { sql as listingPhotos } from './0014-listing-photos.ts';
import { sql as wentLive } from './0015-went-live.ts';
import { sql as colours } from './0016-colours.ts';
import { sql as folderWords } from './0017-folder-words.ts';
import { sql as begunCalls } from './0018-begun-calls.ts';
import { sql as checked } from './0019-checked.ts';
import { sql as begunKeys } from './0020-begun-keys.ts';
import { sql as bulkEdits } from './0021-bulk-edits.ts';
import { sql as declinedBecause } from './0022-declined-because.ts';
import { sql as approvalOrder } from './0023-approval-order.ts';
import { sql as missing } from './0024-missing.ts';
import { sql as changedByAsker } from './0025-changed-by-asker.ts';
import { sql as reviewReason } from './0026-review-reason.ts';
import { sql as section } from './0027-section.ts';
import { sql as evidence } from './0028-evidence.ts';
import { sql as proofs } from './0029-proofs.ts';
import { sql as privateWords } from './0030-private-words.ts';
import { sql as photoOriginals } from './0031-photo-originals.ts';
import { sql as shelf } from './0032-shelf.ts';
import { sql as photoChanges } from './0033-photo-changes.ts';
import { sql as sales } from './0034-sales.ts';
import { sql as shelfRight } from './0035-shelf-right.ts';
import { sql as sentSku } from './0036-sent-sku.ts';
import { sql as duplicates } from './0037-duplicates.ts';
import { sql as labelPhotos } from './0038-label-photos.ts';
import { sql as addedItem } from './0039-added-item.ts';
import { sql as drops } from './0040-drops.ts';
import { sql as history } from './0041-history.ts';
import { sql as deliveredCalls } from './0042-delivered-calls.ts';
import { sql as historyWords } from './0043-history-words.ts';
import { sql as largeShop } from './0044-large-shop.ts';
import { sql as palettes } from './0045-palettes.ts';
import { sql as additions } from './0046-additions.ts';
import { sql as repeatQuestions } from './0047-repeat-questions.ts';
import { sql as arrangementItems } from './0048-arrangement-items.ts';
import { sql as listingFigures } from './0049-listing-figures.ts';
import { sql as photosOnSheet } from './0050-photos-on-sheet.ts';

/** `user_version` in the database is the number of applied migrations, so never change a released migration. */
export const migrations: readonly string[] = [
  first,
  assistants,
  photos,
  listingsSearch,
  written,
  signedLedger,
  boundPhotos,
  subjects,
  access,
  photoRoots,
  itemPages,
  pairingAccess,
  templates,
  listingPhotos,
  wentLive,
  colours,
  folderWords,
  begunCalls,
  checked,
  begunKeys,
  bulkEdits,
  declinedBecause,
  approvalOrder,
  missing,
  changedByAsker,
  reviewReason,
  section,
  evidence,
  proofs,
  privateWords,
  photoOriginals,
  shelf,
  photoChanges,
  sales,
  shelfRight,
  sentSku,
  duplicates,
  labelPhotos,
  addedItem,
  drops,
  history,
  deliveredCalls,
  historyWords,
  largeShop,
  palettes,
  additions,
  repeatQuestions,
  arrangementItems,
  listingFigures,
  photosOnSheet,
];
