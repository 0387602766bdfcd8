import { findRouteAct, excludesMarketplace, listRoutesByAct, type Listing } from '../../../contract/index.ts';
import { notCheckedCode, toProblemView } from '../../base/problem.ts';
import { formatNoticeTexts } from '../../base/messages.ts';
import { getRequestBody, toRecordOrEmpty } from '../../base/json.ts';
import type { ApprovalOutcome, FieldChange } from '../../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../../storage/tables/approvalsTable.ts';
import { createMessage, type TextName } from '../../../i18n/message.ts';
import type { ApprovalsContext } from '../approvalsContext.ts';
import { parseSubjectListing } from '../prompts/renderPromptContent.ts';
import {
  createFactLabel,
  createSentLabel,
  formatFieldValue,
  getListingTerms,
  type ListingTerms,
} from '../prompts/values.ts';
import { toBoundListing } from '../../listings/listings.ts';
import { listJsonDifferences, isVolatileDifference } from '../subject.ts';
import { isAccountConnectedWithKey } from './outcomeReads.ts';
import { findOwnEntry } from '../../../contract/untrusted.ts';

const checkedRoutes = listRoutesByAct('publish', 'revise');

/** Requests that were settled longer ago are not checked again. */
const maxCheckAgeMs = 24 * 60 * 60_000;

/** A publish itself sets these fields, so differences in them are expected. */
const fieldsSetByPublish: ReadonlySet<string> = new Set([
  'status',
  'marketListingId',
  'marketListingUrl',
  'publishedAt',
  'endedAt',
  'autoDelistOnSale',
]);

const factNames: Readonly<Record<string, TextName<'facts'>>> = {
  title: 'title',
  description: 'description',
  price: 'price',
  currency: 'currency',
  condition: 'condition',
  conditionDescription: 'conditionDescription',
  categoryId: 'categoryId',
  marketplaceId: 'site',
  format: 'format',
  itemSpecifics: 'itemSpecifics',
  bestOffer: 'bestOffer',
  quantity: 'quantity',
};

type ListingRecord = Record<string, unknown>;

const createExpectedListing = (listing: ListingRecord, { route, subject }: ApprovalRow): ListingRecord => {
  const body = getRequestBody(subject.request.input);
  // A revision that names only other channels does not change the marketplace listing.
  return {
    ...listing,
    ...(findRouteAct(route) === 'revise' && !excludesMarketplace(body) ? toRecordOrEmpty(body) : {}),
  };
};

const getNumberOrDefault = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

const isExplainedBySale = (expected: unknown, live: ListingRecord, soldBefore: number): boolean =>
  typeof expected === 'number' &&
  typeof live['quantity'] === 'number' &&
  live['quantity'] < expected &&
  getNumberOrDefault(live['soldQuantity'], 0) - soldBefore >= expected - live['quantity'];

const describeFieldChange = (field: string, expected: unknown, live: unknown, terms: ListingTerms): FieldChange => {
  const [before, after] = [
    formatFieldValue(field, expected ?? undefined, terms),
    formatFieldValue(field, live ?? undefined, terms),
  ];
  const name = findOwnEntry(factNames, field);
  return {
    key: field,
    ...(name === undefined ? createSentLabel([field]) : createFactLabel(name)),
    before: before.text,
    after: after.text,
    says: { before: before.says, after: after.says },
  };
};

type PhotoHashes = readonly { sha256: string }[];

const listPhotoChanges = (bound: PhotoHashes, live: PhotoHashes): FieldChange[] => {
  const joinHashes = (photos: PhotoHashes): string => photos.map(({ sha256 }) => sha256).join(' ');
  if (joinHashes(bound) === joinHashes(live)) return [];
  return [{ key: 'photos', ...createFactLabel('photos'), before: String(bound.length), after: String(live.length) }];
};

/** The fee is not compared, because the service has no route that returns what was charged. */
const findLiveDifferences = (
  row: ApprovalRow,
  live: Listing,
  photos: PhotoHashes,
  moving: ReadonlySet<string>,
): FieldChange[] => {
  const { subject } = row;
  if (subject.version !== 2 || subject.listing === null) return [];
  const expected = createExpectedListing(subject.listing, row);
  const is = toBoundListing(live);
  const terms = getListingTerms(parseSubjectListing(subject));
  const soldBefore = getNumberOrDefault(subject.context['soldQuantity'], 0);
  const isDifferentField = (field: string): boolean =>
    !fieldsSetByPublish.has(field) &&
    !(field === 'quantity' && isExplainedBySale(findOwnEntry(expected, field), live, soldBefore)) &&
    listJsonDifferences(findOwnEntry(expected, field), findOwnEntry(is, field), ['listing', field]).some(
      (difference) => !isVolatileDifference(difference, moving),
    );
  const fields = [...new Set([...Object.keys(subject.listing), ...Object.keys(is)])].filter(isDifferentField);
  return [
    ...fields.map((field) => describeFieldChange(field, findOwnEntry(expected, field), findOwnEntry(is, field), terms)),
    ...listPhotoChanges(subject.photos, photos),
  ];
};

/** A request whose outcome no read could prove is recorded as unchecked. */
const chooseCheckEvent = (differences: readonly FieldChange[], outcome: ApprovalOutcome | null | undefined): string => {
  if (differences.length > 0) return 'approval.differs';
  return outcome?.code === notCheckedCode ? 'approval.unchecked' : 'approval.checked';
};

/** Compares the live listing with what the person approved, and notifies the person if it differs. */
export type LiveCheck = {
  checkLiveListing: (row: ApprovalRow, live: Listing) => Promise<void>;
  /** Checks requests whose listing could not be read after the listing went live. */
  checkMissed: () => Promise<void>;
};

export const createLiveCheck = (context: ApprovalsContext): LiveCheck => {
  const { table, clock, db, ledger } = context;

  const recordCheckResult = (row: ApprovalRow, differences: FieldChange[]): void => {
    const outcome = table.read(row.approval_id)?.outcome;
    const noted = db.transaction(() => {
      const first = table.noteChecked(row.approval_id, clock.now(), differences);
      if (first)
        ledger.append(clock.now(), chooseCheckEvent(differences, outcome), {
          approvalId: row.approval_id,
          ...(differences.length > 0 ? { fields: differences.map(({ label }) => label) } : {}),
          ...(outcome?.unseen ? { unseen: outcome.unseen } : {}),
        });
      return first;
    })();
    if (!noted) return;
    context.changed('approvals');
    if (differences.length === 0) return;
    const title = row.subject.version === 2 ? parseSubjectListing(row.subject).title : undefined;
    context.log('error', 'live listing differs from the approved listing', { fields: differences.length });
    context.notify({
      kind: 'approvals',
      ...formatNoticeTexts(
        createMessage('notices.differs'),
        createMessage('notices.differsText', { title: title ?? '' }),
      ),
      place: '/approvals',
    });
  };

  const checkLiveListing: LiveCheck['checkLiveListing'] = async (row, live) => {
    if (!checkedRoutes.includes(row.route) || row.subject.version !== 2) return;
    const photos = await context.livePhotos(live);
    if (isAccountConnectedWithKey(context, row.account))
      recordCheckResult(row, findLiveDifferences(row, live, photos, context.volatileFields.listMoving(row.account)));
  };

  const checkMissedListings: LiveCheck['checkMissed'] = async () => {
    for (const row of table.unchecked(context.account(), context.ages.earliestAt(maxCheckAgeMs), checkedRoutes)) {
      if (row.listing_id === null || !isAccountConnectedWithKey(context, row.account)) continue;
      try {
        await checkLiveListing(row, await context.reads.listing(row.listing_id));
      } catch (error) {
        context.log('warn', 'live listing could not be read', { code: toProblemView(error).code });
      }
    }
  };

  return { checkLiveListing, checkMissed: checkMissedListings };
};
