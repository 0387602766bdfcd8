import * as z from 'zod';
import type { ItemRecord } from '../itemRecord.ts';
import { asCode, nextStep, untrusted } from './fields.ts';
import { stepOfItem } from './nextSteps.ts';

/** An item on its way from photos to a listing. */
export const itemOutput = z.object({
  itemId: z.string().describe('Give it to check_request.'),
  step: z.string().describe('photos, arranging, draft, upload, line, writing, review, live or ended.'),
  words: z.string().describe('Where it stands, in words.'),
  listingId: z.string().nullable().describe('The listing, once there is one.'),
  stoppedBecause: z.object({ code: z.string().nullable(), untrustedSentence: untrusted }).nullable(),
  photosNotUsed: z
    .array(z.object({ untrustedName: untrusted, error: z.string() }))
    .describe('Photos that cannot be used, and why.'),
  nextStep,
});

type NotUsed = { name: string; error: string };

/** An item as tools answer it; `left` are the photos that were not taken in at all. */
export const itemAnswer = (
  { itemId, step, words, listingId, stop, photos }: ItemRecord,
  left: readonly NotUsed[] = [],
): z.input<typeof itemOutput> => {
  const refused = photos.flatMap(({ name, error }) => (error === null ? [] : [{ name, error }]));
  return {
    itemId,
    step,
    words,
    listingId,
    stoppedBecause: stop && { code: asCode(stop.code), untrustedSentence: stop.error },
    photosNotUsed: [...left, ...refused].map(({ name, error }) => ({ untrustedName: name, error })),
    nextStep: stepOfItem(step, stop !== null),
  };
};
