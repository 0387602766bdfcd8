import * as z from 'zod';
import { quantity } from '../../../contract/index.ts';
import { Problem } from '../../../core/base/problem.ts';
import {
  marketplaceId,
  asCode,
  nextStep,
  pageUrl,
  untrusted,
  untrustedJson,
  waitS,
  itemAnswer,
  itemOutput,
} from '../fields.ts';
import { hints, tool } from '../tool.ts';
import type { ApprovalRecord } from '../../assistantRecords.ts';
import { stepOfApproval } from '../nextSteps.ts';

const path = z.string().min(1).max(4_096);

export const createListingFromPhotos = tool({
  name: 'create_listing_from_photos',
  title: 'Create a listing from photos',
  description:
    'Turn photos on this machine, inside a folder that the person has allowed, into a listing to review. Answers at once with an itemId; uses one listing of the allowance; publishes nothing. Not for a listing that exists: use edit_listing.',
  input: z.object({
    folder: path.optional().describe('The absolute path of a folder with the photos of one item.'),
    photos: z.array(path).min(1).max(24).optional().describe('Absolute paths of photos, the main one first.'),
    note: z.string().max(20_000).optional().describe('What the person says about the item; it helps the writing.'),
    quantity: quantity.optional(),
    marketplaceId,
    listingLanguage: z.string().min(2).max(20).optional().describe('The language to write in, such as en or de.'),
  }),
  output: itemOutput,
  decides: ['itemId', 'step', 'nextStep'],
  hints: hints.adds,
  run: async (input, { api, by }) => {
    if ((input.folder === undefined) === (input.photos === undefined))
      throw new Problem('INVALID_REQUEST', 'Name either a folder or photos.', { field: 'folder' });
    const { item, left } = await api.addItem(by, input);
    return itemAnswer(item, left);
  },
  summarize: ({ words }) => `${words}.`,
});

const approvalOutput = z.object({
  requestId: z.string(),
  state: z
    .string()
    .describe('pending, approved, sending, done, failed, unconfirmed, declined, expired, withdrawn or superseded.'),
  untrustedSummary: untrusted,
  expiresAt: z.string(),
  supersededBy: z.string().nullable(),
  code: z.string().nullable().describe('Why it failed.'),
  untrustedOutcome: untrusted.nullable(),
  liveUrl: z.string().nullable().describe('The page of the listing that went live.'),
  answer: z.object({ status: z.int(), untrustedBody: untrustedJson }).nullable(),
  nextStep,
});

const published = z.looseObject({ marketListingUrl: z.unknown() });

const approvalFields = (record: ApprovalRecord): z.input<typeof approvalOutput> => {
  const answer = record.answer ?? null;
  const page = published.safeParse(answer?.body);
  return {
    requestId: record.id,
    state: record.state,
    untrustedSummary: record.summary,
    expiresAt: record.expiresAt,
    supersededBy: record.supersededBy ?? null,
    code: asCode(record.code),
    untrustedOutcome: record.outcome ?? null,
    liveUrl: page.success ? pageUrl(page.data.marketListingUrl) : null,
    answer: answer && { status: answer.status, untrustedBody: untrustedJson.parse(answer.body ?? null) },
    nextStep: stepOfApproval(record.state),
  };
};

export const checkRequest = tool({
  name: 'check_request',
  title: 'See how a request or an item stands',
  description:
    'See whether the person has decided (requestId) or how far photos have come (itemId), waiting up to waitS seconds for news. Not to decide anything; let it wait rather than call it in a loop.',
  input: z.object({
    requestId: z.string().min(1).max(200).optional(),
    itemId: z.string().min(1).max(200).optional(),
    waitS,
  }),
  output: z.union([approvalOutput, itemOutput]),
  decides: ['state', 'step', 'listingId', 'nextStep'],
  hints: hints.readsHere,
  run: async ({ requestId, itemId, waitS: seconds }, { api, by, signal }) => {
    if (requestId !== undefined && itemId === undefined)
      return approvalFields(await api.approval(by, requestId, seconds * 1_000, signal));
    if (itemId !== undefined && requestId === undefined)
      return itemAnswer(await api.item(by, itemId, seconds * 1_000, signal));
    throw new Problem('INVALID_REQUEST', 'Name either a requestId or an itemId.', { field: 'requestId' });
  },
  summarize: (answer) => ('itemId' in answer ? `${answer.words}.` : `The request is ${answer.state}.`),
});
