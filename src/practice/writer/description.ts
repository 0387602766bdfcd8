import { conditionNames, type Condition } from '../market/category.ts';
import { languageOf } from '../market/languages.ts';
import { booksId, everythingElseId } from '../market/taxonomy.ts';
import { titledCategories, type Facts } from './facts/facts.ts';
import { phraseIn, type Phrase } from './phrases.ts';
import { capitalised, escapeHtml } from './plainText.ts';

type Parts = {
  title: string;
  language: string;
  quantity: number;
  condition: Condition;
  itemSpecifics: Readonly<Record<string, string>>;
};

const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;
const heading = (text: string): string => `<h3>${escapeHtml(text)}</h3>`;
const list = (entries: readonly string[]): string => `<ul>${entries.map((entry) => `<li>${entry}</li>`).join('')}</ul>`;

const details = ({ itemSpecifics, language }: Parts): string[] => {
  const entries = Object.entries(itemSpecifics).map(
    ([name, value]) => `<strong>${escapeHtml(name)}:</strong> ${escapeHtml(value)}`,
  );
  return entries.length > 0 ? [heading(phraseIn('details', language)), list(entries)] : [];
};

// Quoted, so that a buyer can tell what stands on the item from what is said about it.
const readOnIt = ({ printed }: Facts, language: string): string[] => {
  const lines = printed.lines
    .filter(({ text }) => text.length >= 3 && text.length <= 60)
    .slice(0, 5)
    .map(({ text }) => `“${text}”`);
  return lines.length > 0 ? [paragraph(phraseIn('readOnIt', language, { lines: lines.join(', ') }))] : [];
};

const condition = ({ seller }: Facts, { condition, language }: Parts): string[] => [
  heading(phraseIn('condition', language)),
  paragraph(
    [conditionNames[condition][languageOf(language)], ...seller.conditionClauses]
      .map(capitalised)
      .join('. ')
      .replace(/\.*$/, '.'),
  ),
  paragraph(phraseIn('conditionSeen', language)),
];

const sellerSays = ({ seller }: Facts, language: string): string[] => {
  const clauses = seller.forBuyers.filter((clause) => !seller.conditionClauses.includes(clause));
  return clauses.length > 0
    ? [heading(phraseIn('sellerSays', language)), list(clauses.map(capitalised).map(escapeHtml))]
    : [];
};

const working = new Set(['electronics']);
const sized = new Set(['3001', '3002', '3003', '3004']);

/** What has to be said plainly because no photo can show it. */
const whatPhotosHide = (facts: Facts): Phrase[] => {
  const { category, brand, details, seller } = facts;
  const titled = titledCategories.has(category.id);
  const rules: readonly (readonly [Phrase, boolean])[] = [
    ['noType', category.id === everythingElseId],
    ['noBrand', !brand && !titled],
    ['noSize', sized.has(category.id) && !details.size],
    [
      'noTest',
      (working.has(category.group) || category.id === '4004') &&
        !/\b(works|working|tested|funktion|getestet|fonctionne|funziona|funciona|werkt|działa|fungerar)/iu.test(
          seller.words,
        ),
    ],
    ['noPages', category.id === booksId],
    ['noCount', ['5001', '5002', '5004'].includes(category.id) && seller.condition !== 'NEW'],
    ['noMaterial', category.group === 'home' && details.materials.length === 0],
  ];
  return rules.filter(([, applies]) => applies).map(([phrase]) => phrase);
};

const notKnown = (facts: Facts, language: string): string[] => {
  const sentences = whatPhotosHide(facts).map((phrase) => escapeHtml(phraseIn(phrase, language)));
  return sentences.length > 0 ? [heading(phraseIn('notKnown', language)), list(sentences)] : [];
};

/** The listing's description as HTML; texts from photos and from the person are escaped. */
export const composeDescription = (facts: Facts, parts: Parts): string => {
  const { title, language, quantity } = parts;
  return [
    paragraph(phraseIn('offered', language, { what: title })),
    ...(quantity > 1 ? [paragraph(phraseIn('quantity', language, { count: quantity }))] : []),
    ...details(parts),
    ...readOnIt(facts, language),
    ...condition(facts, parts),
    ...sellerSays(facts, language),
    ...notKnown(facts, language),
    paragraph(phraseIn('asPhotographed', language)),
  ].join('\n');
};
