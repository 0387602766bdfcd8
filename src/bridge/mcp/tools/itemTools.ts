import * as z from 'zod';
import { quantity } from '../../../contract/index.ts';
import { marketplaceId, waitS, shelfInput } from '../fields.ts';
import { itemOutput, itemsOutput, toItemAnswer, toItemsAnswer } from '../itemFields.ts';
import { templateChoice } from '../../ownOperations.ts';
import { createCallKey, reportWhileWaiting } from '../serviceCalls.ts';
import { hints, defineTool, type ToolContext } from '../tool.ts';
import { Problem, toProblemView } from '../../../core/base/problem.ts';
import type { ItemRequest } from '../../../core/assistants/assistantWork.ts';
import type { ItemRecord, WarningRecord } from '../../assistantRecords.ts';
import { chooseStepAfterRefusal } from '../nextSteps.ts';

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

const isItemSettled = (item: ItemRecord): boolean => isItemAtRest(item) && item.stop?.retriable !== true;

/** Waits until the items are at rest and reports the progress to the client. */
export const awaitItemsAtRest = (context: ToolContext, itemIds: string[], seconds: number): Promise<ItemRecord[]> => {
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
    'Turn photos on this machine, inside folders that the person has allowed, into a listing to review. Uses one listing of the allowance; publishes nothing. The same call makes no second item; it resumes one that has stopped. Not for a listing that exists: use edit_listing.',
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
    // While an item of several is not settled, the same call must resume it without creating the others again.
    const calls = folders === undefined || items.every(isItemSettled) ? created.map(({ call }) => call) : [];
    context.answered(() => context.api.markCallsDelivered(context.by, calls));
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

export const formatItemCount = ({ length }: readonly unknown[]): string =>
  `${length} ${length === 1 ? 'item' : 'items'}.`;
