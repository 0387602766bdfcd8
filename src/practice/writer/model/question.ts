import { generateComparableOffers } from '../../market/comps.ts';
import {
  listAcceptedConditions,
  categories,
  buildCategoryPath,
  getSpecificName,
  type Category,
} from '../../market/taxonomy.ts';
import { findSiteById, type Site } from '../../market/sites.ts';
import { buildSearchWords } from '../compose.ts';
import { collectFacts, type Facts } from '../facts/facts.ts';
import { truncateText } from '../plainText.ts';
import type { PhotoReading } from '../reading/photoReading.ts';
import type { WritingInput } from '../writer.ts';
import * as z from 'zod';
import { conditions } from '../../market/category.ts';
import type { Message, MessagePart } from './endpoint.ts';
import texts from './instructions.json' with { type: 'json' };

export type WritingTask = { facts: Facts; site: Site; language: string; quantity: number };

/** Creates the task from the photos and the seller's words. */
export const createWritingTask = (
  readings: readonly PhotoReading[],
  { words, marketplaceId, language, quantity }: Omit<WritingInput, 'photos'>,
): WritingTask => {
  const site = findSiteById(marketplaceId) ?? findSiteById('MKT_US');
  if (!site) throw new Error('The practice marketplace has no sites.');
  return { facts: collectFacts(readings, words), site, language, quantity };
};

/** Returns the lowest and highest price of similar items in a category, in the site's minor units. */
export const computeOfferRange = ({ facts, site }: WritingTask, category: Category): { from: number; to: number } => {
  const offers = generateComparableOffers({ site: site.id, categoryId: category.id, words: buildSearchWords(facts) });
  const prices = offers.map(({ priceCents }) => priceCents);
  return { from: Math.min(...prices), to: Math.max(...prices) };
};

const buildTaskData = (task: WritingTask) => {
  const { facts, site, language, quantity } = task;
  return {
    language,
    site: { id: site.id, name: site.name, currency: site.currency, titleLength: site.titleLength },
    quantity,
    sellerWords: facts.seller.words,
    readInPhotos: {
      codes: facts.identifiers,
      lines: facts.printed.lines.slice(0, 60).map(({ text }) => truncateText(text, 120)),
      colours: facts.colours,
    },
    likelyCategoryId: facts.category.id,
    categories: categories.map((category) => ({
      id: category.id,
      name: buildCategoryPath(category, language).join(' > '),
      conditions: listAcceptedConditions(category, 'en').map(({ condition }) => condition),
      required: category.required.map((key) => getSpecificName(key, language)),
      recommended: category.recommended.map((key) => getSpecificName(key, language)),
      offersMinor: computeOfferRange(task, category),
    })),
  };
};

/** The instructions contain no text from photos or sellers, so no such text can change them. */
const instructions = texts.join('\n');

const answerSchema = z.strictObject({
  title: z.string(),
  description: z.string(),
  categoryId: z.enum(categories.map(({ id }) => id)),
  condition: z.enum(conditions),
  conditionDescription: z.string(),
  itemSpecifics: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  suggestedPriceMinor: z.int(),
  unknown: z.array(z.strictObject({ field: z.string(), message: z.string() })),
});
export const answerShape: Record<string, unknown> = z.toJSONSchema(answerSchema);

const createPicturePart = (jpeg: Uint8Array): MessagePart => ({
  type: 'image_url',
  image_url: { url: `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}` },
});

/** Creates the messages for an item: instructions first, then its data and photos. */
export const createMessages = (task: WritingTask, photos: readonly Uint8Array[]): Message[] => {
  const data: MessagePart = { type: 'text', text: JSON.stringify(buildTaskData(task)) };
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: [data, ...photos.map(createPicturePart)] },
  ];
};

/** Creates the messages that let the model correct an unusable answer. */
export const createCorrectionRequest = (answer: string, problems: readonly string[]): Message[] => {
  const list = problems.map((problem) => `- ${problem}`).join('\n');
  const content = `This answer cannot be used:\n${list}\nGive the whole JSON object again, corrected.`;
  return [
    { role: 'assistant', content: answer },
    { role: 'user', content },
  ];
};
