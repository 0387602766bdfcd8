import { actOf, currencyOf, leavesMarketplace, routesOfActs, type Listing } from '../../contract/index.ts';
import { problemView } from '../base/problem.ts';
import { noticeText } from '../base/messages.ts';
import { bodyOf, recordOf } from '../base/json.ts';
import type { ApprovalOutcome, Change } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import { message, type TextName } from '../../i18n/message.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import { listingOf } from './prompts/draw.ts';
import { ownLabel, sentLabel, valueText } from './prompts/values.ts';
import { boundListing } from '../listings/listings.ts';
import { differencesOf, movesByItself } from './subject.ts';
import { notChecked } from './outcomes.ts';
import { isConnectedAs } from './ownReadings.ts';
import { entryOf } from '../../contract/untrusted.ts';

/** Acts that put something live that an approval was bound to. */
const checked = routesOfActs('publish', 'revise');

/** How old an unchecked act may be to be checked again. */
const lookedBackMs = 24 * 60 * 60_000;

/** Fields that a publish sets by itself: their differences are expected. */
const setByPublish: ReadonlySet<string> = new Set([
  'status',
  'marketListingId',
  'marketListingUrl',
  'publishedAt',
  'endedAt',
  'autoDelistOnSale',
]);

/** The fact names of the fields that buyers read first; other fields are shown with their own name. */
const names: Readonly<Record<string, TextName<'facts'>>> = {
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

type Bound = Record<string, unknown>;

/** Returns the expected listing: as it was bound, with the changes of the request. */
const expectedOf = (listing: Bound, { route, subject }: ApprovalRow): Bound => {
  const body = bodyOf(subject.request.input);
  // A revision of other channels only does not change the marketplace listing.
  return { ...listing, ...(actOf(route) === 'revise' && !leavesMarketplace(body) ? recordOf(body) : {}) };
};

const numberOr = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

/** Whether the quantity is lower only because that number of items was sold in between. */
const isSold = (expected: unknown, live: Bound, soldBefore: number): boolean =>
  typeof expected === 'number' &&
  typeof live['quantity'] === 'number' &&
  live['quantity'] < expected &&
  numberOr(live['soldQuantity'], 0) - soldBefore >= expected - live['quantity'];

const changeOf = (field: string, expected: unknown, live: unknown, currency: string | null): Change => {
  const [before, after] = [
    valueText(field, expected ?? undefined, currency),
    valueText(field, live ?? undefined, currency),
  ];
  const name = entryOf(names, field);
  return {
    key: field,
    ...(name === undefined ? sentLabel([field]) : ownLabel(name)),
    before: before.text,
    after: after.text,
    says: { before: before.says, after: after.says },
  };
};

type Photos = readonly { sha256: string }[];

const photosChange = (bound: Photos, live: Photos): Change[] => {
  const hashes = (all: Photos): string => all.map(({ sha256 }) => sha256).join(' ');
  if (hashes(bound) === hashes(live)) return [];
  return [{ key: 'photos', ...ownLabel('photos'), before: String(bound.length), after: String(live.length) }];
};

/**
 * Returns the differences between the live listing and what the approval was bound to, as texts.
 * It compares every bound field, undocumented ones too, unless the field moves by itself.
 * The fee is not compared: the service has no route that returns what was charged.
 */
const liveDifferences = (row: ApprovalRow, live: Listing, photos: Photos, moving: ReadonlySet<string>): Change[] => {
  const { subject } = row;
  if (subject.version !== 2 || subject.listing === null) return [];
  const expected = expectedOf(subject.listing, row);
  const is = boundListing(live);
  const currency = currencyOf(listingOf(subject));
  const soldBefore = numberOr(subject.context['soldQuantity'], 0);
  const isOther = (field: string): boolean =>
    !setByPublish.has(field) &&
    !(field === 'quantity' && isSold(entryOf(expected, field), live, soldBefore)) &&
    differencesOf(entryOf(expected, field), entryOf(is, field), ['listing', field]).some(
      (one) => !movesByItself(one, moving),
    );
  const fields = [...new Set([...Object.keys(subject.listing), ...Object.keys(is)])].filter(isOther);
  return [
    ...fields.map((field) => changeOf(field, entryOf(expected, field), entryOf(is, field), currency)),
    ...photosChange(subject.photos, photos),
  ];
};

/** Returns the ledger event of a check. An act that reading cannot prove is not recorded as checked. */
const kindOf = (differences: readonly Change[], outcome: ApprovalOutcome | null | undefined): string => {
  if (differences.length > 0) return 'approval.differs';
  return outcome?.code === notChecked ? 'approval.unchecked' : 'approval.checked';
};

/** Compares the live listing with what the person approved, and notifies them if it differs. */
export type LiveCheck = {
  /** Compares a listing that was read after a publish or a revise. */
  holdAgainst: (row: ApprovalRow, live: Listing) => Promise<void>;
  /** Checks the acts whose listing could not be read when they went live. */
  again: () => Promise<void>;
};

export const liveCheck = (context: ApprovalsContext): LiveCheck => {
  const { table, clock, db, ledger } = context;

  const note = (row: ApprovalRow, differences: Change[]): void => {
    const outcome = table.read(row.approval_id)?.outcome;
    const noted = db.transaction(() => {
      const first = table.noteChecked(row.approval_id, clock.now(), differences);
      if (first)
        ledger.append(clock.now(), kindOf(differences, outcome), {
          approvalId: row.approval_id,
          ...(differences.length > 0 ? { fields: differences.map(({ label }) => label) } : {}),
          ...(outcome?.unseen ? { unseen: outcome.unseen } : {}),
        });
      return first;
    })();
    if (!noted) return;
    context.changed('approvals');
    if (differences.length === 0) return;
    const title = row.subject.version === 2 ? listingOf(row.subject).title : undefined;
    context.log('error', 'live listing differs from the approved listing', { fields: differences.length });
    context.notify({
      kind: 'approvals',
      ...noticeText(message('notices.differs'), message('notices.differsText', { title: title ?? '' })),
      place: '/approvals',
    });
  };

  const holdAgainst: LiveCheck['holdAgainst'] = async (row, live) => {
    if (!checked.includes(row.route) || row.subject.version !== 2) return;
    const photos = await context.livePhotos(live);
    if (isConnectedAs(context, row.account))
      note(row, liveDifferences(row, live, photos, context.moving.of(row.account)));
  };

  const again: LiveCheck['again'] = async () => {
    for (const row of table.unchecked(context.account(), context.ages.earliestAt(lookedBackMs), checked)) {
      if (row.listing_id === null || !isConnectedAs(context, row.account)) continue;
      try {
        await holdAgainst(row, await context.reads.listing(row.listing_id));
      } catch (error) {
        context.log('warn', 'live listing could not be read', { code: problemView(error).code });
      }
    }
  };

  return { holdAgainst, again };
};
