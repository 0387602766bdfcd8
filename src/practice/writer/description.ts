import { parseLocalisedTexts, getLocalisedText, toKnownLanguage } from '../market/languages.ts';
import { conditionNames, type Condition } from '../market/category.ts';
import { booksId, everythingElseId, type Category } from '../market/taxonomy.ts';
import { titledCategories, type Facts, type WritingTask } from './facts/facts.ts';
import { wordPatterns } from './facts/vocabulary.ts';
import { escapeHtml } from '../../text/escapes.ts';
import { capitaliseFirstLetter } from './plainText.ts';
import type { WrittenListing } from './writer.ts';
import texts from './texts.json' with { type: 'json' };

type Phrase = keyof typeof texts.phrases;

/** Returns a phrase in a language and replaces its placeholders. */
export const formatPhrase = (phrase: Phrase, language: string, values: Readonly<Record<string, string>> = {}): string =>
  getLocalisedText(parseLocalisedTexts(texts.phrases[phrase]), language).replace(
    /\{(\w+)\}/g,
    (_, name: string) => values[name] ?? '',
  );

export const formatParagraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;

const formatListSection = (heading: string, entries: readonly string[]): string =>
  entries.length > 0
    ? `<h3>${escapeHtml(heading)}</h3>\n<ul>${entries.map((entry) => `<li>${entry}</li>`).join('')}</ul>`
    : '';

const clothes = ['3001', '3002', '3003', '3004'];
const countedToys = ['5001', '5002', '5004'];
const isMachineCategory = ({ id, group }: Category): boolean => group === 'electronics' || id === '4004';

/** The description says that a fact is unknown if the photos do not show it. */
const unknownFacts: readonly (readonly [Phrase, (facts: Facts) => boolean])[] = [
  ['noType', ({ category }) => category.id === everythingElseId],
  ['noBrand', ({ category, brand }) => !brand && !titledCategories.has(category.id)],
  ['noSize', ({ category, details }) => clothes.includes(category.id) && !details.size],
  ['noTest', ({ category, seller }) => isMachineCategory(category) && !wordPatterns.tested.test(seller.words)],
  ['noPages', ({ category }) => category.id === booksId],
  ['noCount', ({ category, seller }) => countedToys.includes(category.id) && seller.condition !== 'NEW'],
  ['noMaterial', ({ category, details }) => category.group === 'home' && details.materials.length === 0],
];

type Listed = Pick<WrittenListing, 'title' | 'itemSpecifics'> & { condition: Condition };

/** Writes the description as HTML. Texts from photos and from the seller are escaped. */
export const composeDescription = (task: WritingTask, { title, condition, itemSpecifics }: Listed): string => {
  const { facts, language, quantity } = task;
  const { seller, printed } = facts;
  const format = (name: Phrase, values?: Record<string, string>): string => formatPhrase(name, language, values);
  const specifics = Object.entries(itemSpecifics).map(
    ([name, value]) => `<strong>${escapeHtml(name)}:</strong> ${escapeHtml(value)}`,
  );
  const lines = printed.lines.filter(({ text }) => text.length >= 3 && text.length <= 60).slice(0, 5);
  // Quotation marks show which texts are printed on the item.
  const quotes = lines.map(({ text }) => `“${text}”`).join(', ');
  const states = [conditionNames[condition][toKnownLanguage(language)], ...seller.conditionClauses];
  const remarks = seller.forBuyers.filter((clause) => !seller.conditionClauses.includes(clause));
  const unknown = unknownFacts.filter(([, applies]) => applies(facts)).map(([name]) => escapeHtml(format(name)));
  return [
    formatParagraph(format('offered', { what: title })),
    quantity > 1 && formatParagraph(format('quantity', { count: String(quantity) })),
    formatListSection(format('details'), specifics),
    quotes && formatParagraph(format('readOnIt', { lines: quotes })),
    `<h3>${escapeHtml(format('condition'))}</h3>`,
    formatParagraph(states.map(capitaliseFirstLetter).join('. ').replace(/\.*$/, '.')),
    formatParagraph(format('conditionSeen')),
    formatListSection(format('sellerSays'), remarks.map(capitaliseFirstLetter).map(escapeHtml)),
    formatListSection(format('notKnown'), unknown),
    formatParagraph(format('asPhotographed')),
  ]
    .filter(Boolean)
    .join('\n');
};
