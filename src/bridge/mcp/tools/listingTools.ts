import * as z from 'zod';
import {
  listing,
  listingStatuses,
  bestOffer,
  formatIssueSentence,
  listingChanges,
  type Listing,
  type ListingStatus,
} from '../../../contract/index.ts';
import {
  requireChangedFields,
  omitUndefinedFields,
  readServiceAnswer,
  callOrRequestApproval,
  createApprovalSummarizer,
  toDoneAnswer,
  doneFields,
  pendingAnswer,
} from '../serviceCalls.ts';
import {
  ageS,
  toOpaqueToken,
  listingId,
  nextStep,
  amount,
  reason,
  waitS,
  listingSummary,
  toListingSummary,
  toListingDetail,
  listingDetail,
  shelfInput,
  blockers,
  toBlockers,
  toServiceCode,
} from '../fields.ts';
import { hints, defineTool, type Picture, type ToolContext } from '../tool.ts';
import { shelfCursor, shelfText } from '../../ownOperations.ts';
import type { ShelfSearch } from '../../../core/assistants/assistantShelf.ts';
import { Problem } from '../../../core/base/problem.ts';
import type { OutcomeSummary } from '../../../core/base/request.ts';
import { findOwnEntry } from '../../../contract/untrusted.ts';

const listingPage = z.looseObject({ listings: z.array(z.unknown()).default([]), nextCursor: z.string().nullish() });

type ListingQuery = {
  status?: ListingStatus | undefined;
  query?: string | undefined;
  limit: number;
  cursor?: string | undefined;
} & Pick<ShelfSearch, 'sku' | 'place' | 'tag'>;
type FoundListings = { listings: Listing[]; nextCursor: string | null; ageS: number | null };

/** The service knows nothing of the shelf, so the copies of the listings on this computer are searched. */
const findOnShelf = ({ query, cursor, ...search }: ListingQuery, { api, by }: ToolContext): FoundListings => {
  const offset = shelfCursor.safeParse(cursor ?? '0');
  if (!offset.success)
    throw new Problem('INVALID_REQUEST', formatIssueSentence(offset.error.issues[0]), { field: 'cursor' });
  const { listings, next } = api.shelf.find(by, { ...search, words: query, offset: offset.data });
  return { listings, nextCursor: next === null ? null : String(next), ageS: null };
};

const findListings = async (query: ListingQuery, context: ToolContext): Promise<FoundListings> => {
  const { status, query: q, limit, cursor, ...shelf } = query;
  if (Object.values(shelf).some((one) => one !== undefined)) return findOnShelf(query, context);
  const { body, ageS: age } = await readServiceAnswer(context, 'listListings', {
    query: omitUndefinedFields({ status, q, limit, cursor }),
  });
  const { listings, nextCursor } = listingPage.parse(body);
  const parsed = listings.flatMap((one) => listing.safeParse(one).data ?? []);
  return { listings: parsed, nextCursor: toOpaqueToken(nextCursor), ageS: age };
};

export const listListings = defineTool({
  name: 'list_listings',
  title: 'List listings',
  description:
    "Find the person's listings, newest first, by status or words; go on with nextCursor. Not to wait for one listing: use check_request.",
  input: z.object({
    status: z.enum(listingStatuses).optional(),
    query: z.string().max(200).optional().describe('Words in the title.'),
    sku: shelfText.optional().describe('Of the person; needs their permission, as place and tag.'),
    place: shelfText.optional(),
    tag: shelfText.optional(),
    limit: z.int().min(1).max(100).default(25),
    cursor: z.string().max(500).optional().describe('nextCursor of the page before.'),
  }),
  output: z.object({ listings: z.array(listingSummary), nextCursor: z.string().nullable(), ageS: ageS.nullable() }),
  decides: ['listings', 'nextCursor'],
  hints: hints.reads,
  run: async (input, context) => {
    const { listings, nextCursor, ageS: age } = await findListings(input, context);
    const parsed = listings.filter((one) => toOpaqueToken(one.listingId) !== null);
    const warnings = context.api.listingWarnings(
      context.by,
      parsed.map((one) => one.listingId),
    );
    return {
      listings: parsed.map((one) =>
        toListingSummary(one, { classifyLink: context.api.classifyLink, warnings: warnings.get(one.listingId) ?? [] }),
      ),
      nextCursor,
      ageS: age,
    };
  },
  summarize: ({ listings, nextCursor }) =>
    `${listings.length} ${listings.length === 1 ? 'listing' : 'listings'}${nextCursor === null ? '' : ', and more behind nextCursor'}.`,
});

const neverAborted = new AbortController().signal;

const nextSteps: Readonly<Record<string, string>> = {
  draft: 'It has not been written yet.',
  processing: 'It is being written. Call check_request with its itemId and waitS 45 rather than this tool again.',
  pending_review: 'Show it to the person, correct it with edit_listing, then quote_fees and publish_listing.',
  published: 'It is live. Change it with change_live_listing, end it with end_listing; both ask the person.',
  ended: 'relist brings it back for review when the person wants that.',
  sold: 'It is sold.',
  failed: 'Writing failed. Tell the person; untrustedProcessingError says why.',
};

export const getListing = defineTool({
  name: 'get_listing',
  title: 'Read a listing',
  description:
    'Read one listing with its first photo, to hold text against picture and review it with the person. Not to poll: use check_request.',
  input: z.object({
    listingId,
    photo: z.int().min(0).max(100).default(1).describe('Which photo comes as an image, from 1; 0: none.'),
  }),
  output: listingDetail.extend({
    photoUrls: z.array(z.string()).describe('Where each photo is read with your token.'),
    ageS,
    nextStep,
  }),
  decides: ['listingId', 'status', 'blockers', 'nextStep'],
  hints: hints.reads,
  run: async ({ listingId: id }, context) => {
    const { body, ageS: age } = await readServiceAnswer(context, 'readListing', { params: { listingId: id } });
    const detail = toListingDetail(body, {
      classifyLink: context.api.classifyLink,
      warnings: context.api.listingWarnings(context.by, [id]).get(id) ?? [],
      shelf: context.api.shelf.read(context.by, { listingId: id }),
    });
    const numbers = Array.from({ length: detail.photos }, (_, index) => index + 1);
    const blocked = detail.status === 'pending_review' && detail.blockers.length > 0;
    return {
      ...detail,
      listingId: id,
      photoUrls: numbers.map((number) => context.api.photoUrl(id, number)),
      ageS: age,
      nextStep: blocked
        ? 'Mend what blockers names with edit_listing before you ask to publish.'
        : (findOwnEntry(nextSteps, detail.status) ?? ''),
    };
  },
  summarize: ({ status, photos, blockers }) =>
    `The listing is ${status}, with ${photos} photos and ${blockers.length} blockers.`,
  pictures: async ({ listingId: id, photo }, { photos }, context) =>
    photo === 0 || photos === 0 ? [] : [await readSmallPhoto(context, { listingId: id, photo, photos })],
});

type PhotoOfListing = { listingId: string; photo: number; photos: number };

/** The caller must have read the listing, which has `photos` photos. */
const readSmallPhoto = async (
  { api, by, signal = neverAborted }: ToolContext,
  { listingId: id, photo, photos }: PhotoOfListing,
): Promise<Picture> => {
  if (photo > photos) return `There is no photo ${photo}.`;
  const small = await api.smallPhoto(by, id, photo, signal).catch(() => null);
  signal.throwIfAborted();
  // The person might have revoked access while the photo was loaded, so check again.
  api.checkVisibility(by, id);
  return small?.bytes ?? `Photo ${photo} cannot be read now.`;
};

export const viewPhotos = defineTool({
  name: 'view_photos',
  title: 'See photos of a listing',
  description: 'See photos of a listing as images, where get_listing shows none. Not to read its text.',
  input: z.object({
    listingId,
    photos: z.array(z.int().min(1).max(100)).min(1).max(4).default([1]).describe('Up to 4 photos by number, from 1.'),
  }),
  output: z.object({ listingId, photos: z.int().describe('How many photos it has.') }),
  decides: [],
  isForImages: true,
  hints: hints.reads,
  run: async ({ listingId: id }, context) => {
    const { body } = await readServiceAnswer(context, 'readListing', { params: { listingId: id } });
    return { listingId: id, photos: listing.parse(body).imageUrls?.length ?? 0 };
  },
  summarize: ({ photos }) => `The listing has ${photos} ${photos === 1 ? 'photo' : 'photos'}.`,
  pictures: async ({ listingId: id, photos: numbers }, { photos }, context) => {
    const found: Picture[] = [];
    for (const photo of new Set(numbers)) found.push(await readSmallPhoto(context, { listingId: id, photo, photos }));
    return found;
  },
});

const {
  title,
  description,
  condition,
  conditionDescription,
  itemSpecifics,
  quantity,
  categoryId,
  packageWeightGrams,
  sku,
} = listingChanges.shape;

const blockedStep =
  'It is saved, but it cannot be published like this: mend what blockers names. For a condition, call find_category with categoryId to see those that the category accepts, and let the person choose.';

export const editListing = defineTool({
  name: 'edit_listing',
  title: 'Edit a listing before it is live',
  description:
    'Change a listing that never went live; fields left out stay. Changing Best Offer asks the person. Not for a live listing: use change_live_listing; only shelf can be changed at any time.',
  input: z.object({
    listingId,
    title,
    description,
    priceCents: amount.optional(),
    condition,
    conditionDescription,
    itemSpecifics: itemSpecifics.describe('All item specifics by name: those that are left out are removed.'),
    quantity,
    categoryId,
    packageWeightGrams,
    sku,
    bestOffer: bestOffer.optional().describe('Asks the person.'),
    shelf: shelfInput,
    reason,
    waitS,
  }),
  output: z.union([
    z.object({ ...doneFields, changed: z.array(z.string()), categoryId: z.string().nullable(), blockers }),
    pendingAnswer,
  ]),
  decides: ['state', 'blockers', 'requestId', 'nextStep'],
  hints: hints.overwrites,
  run: async ({ listingId: id, reason: why, waitS: seconds, priceCents, shelf, ...fields }, context) => {
    const { api, by } = context;
    const changed = Object.keys(requireChangedFields({ ...fields, priceCents, shelf }));
    // Refused before anything is sent, so that a refusal changes nothing.
    if (shelf !== undefined) api.shelf.requireShelfRight(by);
    const saved = ({ told, body: answered }: { told?: OutcomeSummary | undefined; body?: unknown }) => {
      const now = listing.safeParse(answered).data;
      const found = now ? toBlockers(now) : [];
      const step = found.length === 0 ? 'Call get_listing to show the person what is saved.' : blockedStep;
      return {
        ...toDoneAnswer({ told }, step),
        changed,
        categoryId: toServiceCode(now?.categoryId),
        blockers: found,
      };
    };
    const body = omitUndefinedFields({ ...fields, price: priceCents });
    const answer =
      Object.keys(body).length === 0
        ? saved({})
        : await callOrRequestApproval(
            context,
            { route: 'updateListing', input: { params: { listingId: id }, body }, reason: why, waitS: seconds },
            saved,
          );
    if (shelf !== undefined) api.shelf.change(by, id, shelf);
    return answer;
  },
  summarize: createApprovalSummarizer('The changes are saved.'),
});
