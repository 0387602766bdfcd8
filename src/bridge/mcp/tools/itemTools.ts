import * as z from 'zod';
import { quantity } from '../../../contract/index.ts';
import {
  marketplaceId,
  toServiceCode,
  nextStep,
  liveLink,
  untrusted,
  untrustedJson,
  waitS,
  toItemAnswer,
  itemOutput,
  toItemsAnswer,
  itemsOutput,
  warnings,
  shelfInput,
} from '../fields.ts';
import { templateChoice } from '../../ownOperations.ts';
import { batchAnswer, toBatchAnswer } from '../batchCalls.ts';
import { awaitingPersonMessage, createCallKey, formatRowCounts, reportWhileWaiting } from '../serviceCalls.ts';
import { hints, defineTool, type ToolContext } from '../tool.ts';
import { declineReasons, notCheckedCode, Problem, toProblemView } from '../../../core/base/problem.ts';
import { batchIdPrefix } from '../../../core/approvals/batches.ts';
import type { ItemRequest } from '../../../core/assistants/assistantWork.ts';
import type { ApprovalRecord, ItemRecord, WarningRecord } from '../../assistantRecords.ts';
import { approvalStates, chooseStepAfterRefusal, chooseStepForApproval, uncheckedSentence } from '../nextSteps.ts';

const path = z.string().min(1).max(4_096);

type ItemCreationResult = {
  created: { itemId: string; call: string; left: { name: string; error: string }[]; warnings: WarningRecord[] }[];
  skipped: { untrustedFolder: string; code: string; error: string; nextStep: string }[];
};

/**
 * Creates one item per request, or resumes the item of an identical earlier call. The failure of a single request is
 * thrown; among several requests, it is returned in `skipped`.
 */
const createOrResumeItems = async (context: ToolContext, wishes: ItemRequest[]): Promise<ItemCreationResult> => {
  const { api, by } = context;
  const created: ItemCreationResult['created'] = [];
  const skipped: ItemCreationResult['skipped'] = [];
  for (const wish of wishes) {
    const call = createCallKey(context, 'items', wish);
    try {
      const { item, left, warnings } = await api.addItem(by, wish, call);
      created.push({ itemId: item.itemId, call, left, warnings });
    } catch (error) {
      if (wishes.length === 1) throw error;
      const { code, sentence, retryAfterS } = toProblemView(error);
      skipped.push({
        untrustedFolder: wish.folder ?? '',
        code,
        error: sentence,
        nextStep: chooseStepAfterRefusal(code, retryAfterS),
      });
    }
  }
  return { created, skipped };
};

const isItemAtRest = ({ step, stop }: ItemRecord): boolean =>
  stop !== null || ['review', 'live', 'ended'].includes(step);

const awaitItemsAtRest = (context: ToolContext, itemIds: string[], seconds: number): Promise<ItemRecord[]> => {
  const { api, by, signal } = context;
  const describeItemsProgress = async (): Promise<string> => {
    const items = await api.items(by, itemIds, 0);
    const [only] = items;
    return items.length === 1 && only
      ? only.words
      : `${items.filter(isItemAtRest).length} of ${items.length} items are there`;
  };
  return reportWhileWaiting(context, describeItemsProgress, api.items(by, itemIds, seconds * 1_000, signal));
};

export const createListingFromPhotos = defineTool({
  name: 'create_listing_from_photos',
  title: 'Create a listing from photos',
  description:
    'Turn photos on this machine, inside folders that the person has allowed, into a listing to review, and wait waitS seconds for that. Uses one listing of the allowance; publishes nothing. The same call resumes an item that has stopped. Not for a listing that exists: use edit_listing.',
  input: z.object({
    folder: path.optional().describe('The absolute path of a folder with the photos of one item.'),
    folders: z.array(path).min(1).max(20).optional().describe('Several such folders: an item of each.'),
    photos: z.array(path).min(1).max(24).optional().describe('Absolute paths of photos, the main one first.'),
    note: z.string().max(20_000).optional().describe('What the person says about the item; it helps the writing.'),
    quantity: quantity.optional(),
    marketplaceId,
    listingLanguage: z.string().min(2).max(20).optional().describe('The language to write in, such as en or de.'),
    templateId: templateChoice.describe(
      'A template of the person to begin with; null for none. Left out: the usual one.',
    ),
    shelf: shelfInput,
    waitS: waitS.removeDefault().default(45).describe('Seconds to wait for the review.'),
  }),
  output: z.union([itemOutput, itemsOutput]),
  decides: ['itemId', 'step', 'nextStep'],
  hints: hints.adds,
  run: async ({ folders, waitS: seconds, ...wish }, context) => {
    if ([wish.folder, wish.photos, folders].filter((one) => one !== undefined).length !== 1)
      throw new Problem('INVALID_REQUEST', 'Name a folder, several folders, or photos.', { field: 'folder' });
    // Remove duplicates, because a folder that is named twice would use up another listing.
    const wishes = folders ? [...new Set(folders)].map((folder) => ({ ...wish, folder })) : [wish];
    const { created, skipped } = await createOrResumeItems(context, wishes);
    const itemIds = created.map(({ itemId }) => itemId);
    const items = await awaitItemsAtRest(context, itemIds, seconds);
    context.answered(() =>
      context.api.markCallsDelivered(
        context.by,
        created.map(({ call }) => call),
      ),
    );
    const findCreated = (id: string) => created.find(({ itemId }) => itemId === id);
    const listSkippedPhotos = (id: string) => findCreated(id)?.left ?? [];
    const listWarnings = (id: string) => findCreated(id)?.warnings ?? [];
    const [only] = items;
    return folders === undefined && only
      ? toItemAnswer(only, listSkippedPhotos(only.itemId), listWarnings(only.itemId))
      : toItemsAnswer(items, listSkippedPhotos, listWarnings, skipped);
  },
  summarize: (answer) => ('words' in answer ? `${answer.words}.` : formatItemCount(answer.items)),
});

const formatItemCount = ({ length }: readonly unknown[]): string => `${length} ${length === 1 ? 'item' : 'items'}.`;

const approvalOutput = z.object({
  requestId: z.string(),
  state: z.string().describe(`${approvalStates.slice(0, -1).join(', ')} or ${approvalStates.at(-1)}.`),
  untrustedSummary: untrusted,
  expiresAt: z.string(),
  supersededBy: z.string().nullable(),
  code: z
    .string()
    .nullable()
    .describe('Why it failed; NOT_CHECKED: done as the service says, which reading does not show.'),
  untrustedOutcome: untrusted.nullable(),
  declinedBecause: z.enum(declineReasons).nullable().describe('Why the person said no.'),
  retryAfterS: z.int().nullable().describe('How long their no stands.'),
  ...liveLink,
  answer: z.object({ status: z.int(), untrustedBody: untrustedJson }).nullable(),
  warnings,
  nextStep,
});

const toApprovalOutput = (record: ApprovalRecord): z.input<typeof approvalOutput> => {
  const answer = record.answer ?? null;
  return {
    requestId: record.id,
    state: record.state,
    untrustedSummary: record.summary,
    expiresAt: record.expiresAt,
    supersededBy: record.supersededBy ?? null,
    code: toServiceCode(record.code),
    untrustedOutcome: record.outcome ?? null,
    declinedBecause: record.declinedBecause ?? null,
    retryAfterS: record.retryAfterS ?? null,
    liveUrl: record.liveUrl ?? null,
    liveUrlNotChecked: record.liveUrlNotChecked ?? null,
    answer: answer && { status: answer.status, untrustedBody: untrustedJson.parse(answer.body ?? null) },
    warnings: record.warnings ?? [],
    nextStep: chooseStepForApproval(record),
  };
};

export const checkRequest = defineTool({
  name: 'check_request',
  title: 'See how a request or an item stands',
  description:
    'See whether the person has decided (requestId) or how far photos have come (itemId), waiting up to waitS seconds for news. Not to decide anything; let it wait rather than call it in a loop.',
  input: z.object({
    requestId: z.string().min(1).max(200).optional(),
    itemId: z.string().min(1).max(200).optional(),
    itemIds: z.array(z.string().min(1).max(200)).min(1).max(20).optional(),
    waitS,
  }),
  output: z.union([approvalOutput, batchAnswer, itemOutput, itemsOutput]),
  decides: ['state', 'step', 'listingId', 'declinedBecause', 'retryAfterS', 'nextStep'],
  hints: hints.readsHere,
  run: async ({ requestId, itemId, itemIds, waitS: seconds }, context) => {
    const { api, by, signal } = context;
    if ([requestId, itemId, itemIds].filter((one) => one !== undefined).length !== 1)
      throw new Problem('INVALID_REQUEST', 'Name either a requestId, an itemId or itemIds.', { field: 'requestId' });
    if (requestId !== undefined) {
      const report = <T>(work: Promise<T>): Promise<T> =>
        reportWhileWaiting(context, () => awaitingPersonMessage, work);
      return requestId.startsWith(batchIdPrefix)
        ? toBatchAnswer(await report(api.batch(by, requestId, seconds * 1_000, signal)))
        : toApprovalOutput(await report(api.approval(by, requestId, seconds * 1_000, signal)));
    }
    const items = await awaitItemsAtRest(context, itemIds ?? [itemId ?? ''], seconds);
    const [only] = items;
    return itemIds === undefined && only ? toItemAnswer(only) : toItemsAnswer(items);
  },
  summarize: (answer) => {
    if ('words' in answer) return `${answer.words}.`;
    if ('items' in answer) return formatItemCount(answer.items);
    if ('counts' in answer) return formatRowCounts(answer.counts);
    return answer.code === notCheckedCode ? uncheckedSentence : `The request is ${answer.state}.`;
  },
});
