import { comparables } from '../../market/comps.ts';
import { conditionsOf, categories, categoryPath, specificName, type Category } from '../../market/taxonomy.ts';
import { siteOf, type Site } from '../../market/sites.ts';
import { searchWords } from '../compose.ts';
import { factsOf, type Facts } from '../facts.ts';
import { clip } from '../plainText.ts';
import type { PhotoReading } from '../reading.ts';
import type { WritingInput } from '../writer.ts';

/** One item as it is put to a model, and what its answer is measured by. */
export type WritingTask = { facts: Facts; site: Site; language: string; quantity: number };

const siteFor = (id: string): Site => {
  const site = siteOf(id) ?? siteOf('MKT_US');
  if (!site) throw new Error('The practice marketplace has no sites.');
  return site;
};

/** The task of writing about what was read in the photos and what the person said. */
export const taskOf = (readings: readonly PhotoReading[], input: Omit<WritingInput, 'photos'>): WritingTask => ({
  facts: factsOf(readings, input.words),
  site: siteFor(input.marketplaceId),
  language: input.language,
  quantity: input.quantity,
});

/** What others ask for such an item in a category, lowest and highest, in the site's minor units. */
export const offersOf = ({ facts, site }: WritingTask, category: Category): { from: number; to: number } => {
  const offers = comparables({ site: site.id, categoryId: category.id, words: searchWords(facts) });
  const prices = offers.map(({ priceCents }) => priceCents);
  return { from: Math.min(...prices), to: Math.max(...prices) };
};

const described = (category: Category, task: WritingTask) => ({
  id: category.id,
  name: categoryPath(category, task.language).join(' > '),
  conditions: conditionsOf(category, 'en').map(({ condition }) => condition),
  required: category.required.map((key) => specificName(key, task.language)),
  recommended: category.recommended.map((key) => specificName(key, task.language)),
  offersMinor: offersOf(task, category),
});

/** Everything that a model is told about an item, as data. */
export const dataOf = (task: WritingTask) => {
  const { facts, site, language, quantity } = task;
  return {
    language,
    site: { id: site.id, name: site.name, currency: site.currency, titleLength: site.titleLength },
    quantity,
    sellerWords: facts.seller.words,
    readInPhotos: {
      codes: facts.identifiers,
      lines: facts.printed.lines.slice(0, 60).map(({ text }) => clip(text, 120)),
      colours: facts.colours,
    },
    likelyCategoryId: facts.category.id,
    categories: categories.map((category) => described(category, task)),
  };
};
