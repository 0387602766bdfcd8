import * as z from 'zod';
import type { ItemRecord, WarningRecord } from '../assistantRecords.ts';
import { nextStep, toOpaqueToken, toServiceCode, untrusted, warnings } from './fields.ts';
import { chooseStepForItem, chooseStepForItems } from './nextSteps.ts';

export const itemsOutput = z.object({
  items: z.array(z.looseObject({ itemId: z.string() })).describe('Each as for one item.'),
  notTaken: z
    .array(z.object({ untrustedFolder: untrusted, code: z.string(), error: z.string(), nextStep }))
    .describe('Folders of which no item was made, and why.'),
  nextStep,
});

export const itemOutput = z.object({
  itemId: z.string().describe('Give it to check_request.'),
  step: z.string().describe('photos, arranging, draft, upload, line, writing, review, live or ended.'),
  words: z.string().describe('Where it stands, in words.'),
  listingId: z.string().nullable().describe('The listing, once there is one.'),
  stoppedBecause: z
    .object({
      code: z.string().nullable(),
      untrustedSentence: untrusted,
      retriable: z.boolean().describe('The same create_listing_from_photos call resumes it.'),
    })
    .nullable(),
  photosNotUsed: z
    .array(z.object({ untrustedName: untrusted, error: z.string() }))
    .describe('Photos that cannot be used, and why.'),
  warnings,
  nextStep,
});

type UnusedPhoto = { name: string; error: string };

/** Converts an item to the format of the tools. `left` lists the photos that the item does not use. */
export const toItemAnswer = (
  { itemId, step, words, listingId, stop, photos, warnings: own }: ItemRecord,
  left: readonly UnusedPhoto[] = [],
  more: readonly WarningRecord[] = [],
): z.input<typeof itemOutput> => {
  const refused = photos.flatMap(({ name, error }) => (error === null ? [] : [{ name, error }]));
  return {
    itemId,
    step,
    words,
    listingId: toOpaqueToken(listingId),
    stoppedBecause: stop && {
      code: toServiceCode(stop.code),
      untrustedSentence: stop.error,
      retriable: stop.retriable,
    },
    photosNotUsed: [...left, ...refused].map(({ name, error }) => ({ untrustedName: name, error })),
    warnings: [...more, ...own],
    nextStep: chooseStepForItem(step, stop),
  };
};

export const toItemsAnswer = (
  items: readonly ItemRecord[],
  leftOf: (itemId: string) => readonly UnusedPhoto[] = () => [],
  warningsOf: (itemId: string) => readonly WarningRecord[] = () => [],
  notTaken: z.input<typeof itemsOutput>['notTaken'] = [],
): z.input<typeof itemsOutput> => ({
  items: items.map((item) => toItemAnswer(item, leftOf(item.itemId), warningsOf(item.itemId))),
  notTaken,
  nextStep: chooseStepForItems(items),
});
