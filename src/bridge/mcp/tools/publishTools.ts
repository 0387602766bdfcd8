import * as z from 'zod';
import { feeAnswer, policyChoice, bestOffer, listingChanges } from '../../../contract/index.ts';
import { Problem } from '../../../core/base/problem.ts';
import { batchAnswer, createRowsSchema, listingIds, requestForListings, requireListingIds } from '../batchCalls.ts';
import {
  requireChangedFields,
  readServiceAnswer,
  omitUndefinedFields,
  callOrRequestApproval,
  createApprovalSummarizer,
  toDoneAnswer,
  doneFields,
  pendingAnswer,
} from '../serviceCalls.ts';
import {
  ageS,
  amount,
  cents,
  toServiceCode,
  currency,
  listingId,
  marketplaceId,
  nextStep,
  untrusted,
  liveLink,
  reason,
  waitS,
} from '../fields.ts';
import { hints, defineTool } from '../tool.ts';

export const quoteFees = defineTool({
  name: 'quote_fees',
  title: 'Quote the fees of publishing',
  description:
    'Ask the marketplace what publishing this listing would cost, once before a publish. Never in a loop: it draws on a daily budget.',
  input: z.object({ listingId, marketplaceId }),
  output: z.object({
    state: z.enum(['fee', 'free', 'unavailable']),
    currency,
    totalCents: cents.nullable(),
    lines: z.array(z.object({ untrustedName: untrusted, amountCents: z.int() })),
    untrustedReason: untrusted.nullable().describe('Why there is no quote.'),
    feeNoticeConfirmedSites: z.array(z.string()),
    ageS,
    nextStep,
  }),
  decides: ['state', 'currency', 'totalCents', 'nextStep'],
  hints: hints.reads,
  run: async ({ listingId: id, marketplaceId: site }, context) => {
    const { body, ageS: age } = await readServiceAnswer(context, 'quoteFees', {
      params: { listingId: id },
      body: omitUndefinedFields({ action: 'quote', marketplaceId: site }),
    });
    const { quote, feeNotice } = feeAnswer.parse(body);
    return {
      state: quote?.state ?? 'unavailable',
      currency: toServiceCode(quote?.currency),
      totalCents: quote?.totalMinor ?? null,
      lines: (quote?.lines ?? []).map(({ name, amountMinor }) => ({ untrustedName: name, amountCents: amountMinor })),
      untrustedReason: quote?.reason ?? null,
      feeNoticeConfirmedSites: feeNotice?.confirmedSites ?? [],
      ageS: age,
      nextStep: 'Tell the person the fee. publish_listing shows it to them again and asks for their yes.',
    };
  },
  summarize: ({ state, totalCents, currency: of }) =>
    state === 'fee' && totalCents !== null ? `The fee is ${totalCents} cents ${of ?? ''}.` : `The fee is ${state}.`,
});

export const publishListing = defineTool({
  name: 'publish_listing',
  title: 'Ask to publish a listing',
  description:
    'Ask the person to publish a reviewed listing, or several at once: they see each with its fee in the companion and say yes or no there. Not before you told them the fee of quote_fees; nothing that you pass or say stands for their yes.',
  input: z.object({
    listingId: listingId.optional(),
    listingIds,
    ...policyChoice,
    autoDelistOnSale: z.boolean().optional().describe('Take it off the other channels when it is sold.'),
    reason,
    waitS,
  }),
  output: z.union([z.object({ ...doneFields, ...liveLink }), pendingAnswer, batchAnswer]),
  decides: ['state', 'requestId', 'nextStep'],
  hints: hints.acts,
  run: async ({ listingId: id, listingIds: ids, reason: why, waitS: seconds, ...choices }, context) => {
    const body = omitUndefinedFields(choices);
    const rows = requireListingIds({ listingId: id, listingIds: ids }).map((one) => ({ listingId: one, body }));
    return requestForListings(context, { route: 'publishListing', rows, reason: why, waitS: seconds }, (answer) => {
      const link = context.api.classifyLink(answer.told?.url);
      const where = link.liveUrl === null ? 'Its page is in Listing Companion.' : 'Give the person the link.';
      return { ...toDoneAnswer(answer, `It is published. ${where}`), ...link };
    });
  },
  summarize: createApprovalSummarizer('It is published.'),
});

const { title, description, quantity, sku } = listingChanges.shape;
const liveChanges = {
  title,
  description,
  priceCents: amount.optional(),
  quantity,
  sku,
  bestOffer: bestOffer.optional(),
};
const changedListing = z
  .strictObject({ listingId, ...liveChanges })
  .refine((row) => Object.keys(omitUndefinedFields(row)).length > 1, 'Name at least one field to change.');
type ChangedListing = z.infer<typeof changedListing>;

const toChangeRequest = ({ listingId: id, priceCents, ...fields }: ChangedListing) => ({
  listingId: id,
  body: requireChangedFields({ ...fields, price: priceCents }),
});

type NamedChanges = Omit<ChangedListing, 'listingId'> &
  Parameters<typeof requireListingIds>[0] & { rows?: readonly ChangedListing[] | undefined };

const listChangeRequests = ({ rows, listingId: id, listingIds: ids, ...changes }: NamedChanges) => {
  if (rows === undefined)
    return requireListingIds({ listingId: id, listingIds: ids }).map((one) =>
      toChangeRequest({ listingId: one, ...changes }),
    );
  if (Object.keys(omitUndefinedFields({ listingId: id, listingIds: ids, ...changes })).length > 0)
    throw new Problem('INVALID_REQUEST', 'With rows, name listings and changes only in the rows.', { field: 'rows' });
  return rows.map(toChangeRequest);
};

export const changeLiveListing = defineTool({
  name: 'change_live_listing',
  title: 'Ask to change a live listing',
  description:
    'Ask the person to change a listing that buyers can see, or several at once; they decide in the companion. Not for one that is not live: use edit_listing.',
  input: z.object({
    listingId: listingId.optional(),
    ...liveChanges,
    listingIds: listingIds.describe('Instead: the same change of 2 to 200 listings in one prompt.'),
    // The published schema leaves the fields of a row to the check, because they are the fields above.
    rows: createRowsSchema(z.looseObject({ listingId }).pipe(changedListing)).describe(
      'Instead: each listing with its own changes, named as above.',
    ),
    reason,
    waitS,
  }),
  output: z.union([z.object(doneFields), pendingAnswer, batchAnswer]),
  decides: ['state', 'requestId', 'nextStep'],
  hints: hints.acts,
  run: async ({ reason: why, waitS: seconds, ...changes }, context) =>
    requestForListings(
      context,
      { route: 'reviseListing', rows: listChangeRequests(changes), reason: why, waitS: seconds },
      (answer) => toDoneAnswer(answer, 'Call get_listing to see how it stands.'),
    ),
  summarize: createApprovalSummarizer('The live listing was changed.'),
});

export const endListing = defineTool({
  name: 'end_listing',
  title: 'Ask to end a live listing',
  description:
    'Ask the person to end a live listing, or several at once, which cannot be undone; they decide in the companion. Not to change it: use change_live_listing.',
  input: z.object({ listingId: listingId.optional(), listingIds, reason, waitS }),
  output: z.union([z.object(doneFields), pendingAnswer, batchAnswer]),
  decides: ['state', 'requestId', 'nextStep'],
  hints: hints.acts,
  run: async ({ reason: why, waitS: seconds, ...named }, context) =>
    requestForListings(
      context,
      {
        route: 'endListing',
        rows: requireListingIds(named).map((one) => ({ listingId: one, body: {} })),
        reason: why,
        waitS: seconds,
      },
      (answer) => toDoneAnswer(answer, 'It is off the marketplace. Tell the person what untrustedOutcome says.'),
    ),
  summarize: createApprovalSummarizer('The listing is off the marketplace.'),
});

export const relist = defineTool({
  name: 'relist',
  title: 'Bring back an ended listing',
  description: 'Bring an ended or unsold listing back for review. Publishes nothing. Not for one that is live.',
  input: z.object({ listingId, reason, waitS }),
  output: z.union([z.object({ state: z.literal('done'), nextStep }), pendingAnswer]),
  decides: ['state', 'requestId', 'nextStep'],
  hints: hints.adds,
  run: ({ listingId: id, reason: why, waitS: seconds }, context) =>
    callOrRequestApproval(
      context,
      { route: 'relistListing', input: { params: { listingId: id }, body: {} }, reason: why, waitS: seconds },
      () => ({
        state: 'done' as const,
        nextStep:
          'It is back for review. Call get_listing, then quote_fees and publish_listing when the person wants that.',
      }),
    ),
  summarize: createApprovalSummarizer('It is back for review.'),
});
