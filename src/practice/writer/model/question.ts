import { conditionLists } from '../../market/category.ts';
import { categories, buildCategoryPath, getSpecificName, type Category } from '../../market/taxonomy.ts';
import { findSimilarOffers } from '../compose.ts';
import type { WritingTask } from '../facts/facts.ts';
import { truncateText } from '../plainText.ts';
import type { Message, MessagePart } from './endpoint.ts';
import texts from './instructions.json' with { type: 'json' };

/** Returns the lowest and highest price of similar items in a category, in the site's minor units. */
export const computeOfferRange = (task: WritingTask, category: Category): { from: number; to: number } => {
  const prices = findSimilarOffers(task, category).map(({ priceCents }) => priceCents);
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
      conditions: conditionLists[category.conditions],
      required: category.required.map((key) => getSpecificName(key, language)),
      recommended: category.recommended.map((key) => getSpecificName(key, language)),
      offersMinor: computeOfferRange(task, category),
    })),
  };
};

/** The instructions contain no text from photos or sellers, so no such text can change them. */
const instructions = texts.join('\n');

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
