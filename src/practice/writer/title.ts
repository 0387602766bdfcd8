import { findKnownLanguage } from '../market/languages.ts';
import { findCategoryNoun, everythingElseId } from '../market/taxonomy.ts';
import { titledCategories, type Facts } from './facts/facts.ts';
import { phraseIn } from './description.ts';
import { capitalised, clip, fold, plain, tidy } from './plainText.ts';
import { colourIn, materialIn, termsIn } from './facts/vocabulary.ts';

// A title says each thing once: a later part that the earlier ones hold already is left out.
const withoutRepeats = (parts: readonly (string | undefined)[]): string[] => {
  const kept: string[] = [];
  for (const part of parts) {
    const text = tidy(part ?? '');
    if (text === '') continue;
    const before = ` ${fold(kept.join(' '))} `;
    if (!before.includes(` ${fold(text)} `)) kept.push(text);
  }
  return kept;
};

const nounOf = ({ category }: Facts, language: string): string => findCategoryNoun(category, language);

const termFor = (terms: string | undefined, language: string): string | undefined =>
  terms && termsIn(terms.split(', ')[0] ?? '', language);

const workTitle = (facts: Facts, language: string): string[] => {
  const { author, workTitle = '', category, details } = facts;
  const named =
    author && !fold(workTitle).includes(fold(author)) ? phraseIn('by', language, { who: author }) : undefined;
  const kind = termFor(details.format, language) ?? nounOf(facts, language);
  return [
    tidy([plain(workTitle), named && plain(named)].filter(Boolean).join(' ')),
    category.id === '1005' ? (details.platform ?? kind) : kind,
  ];
};

// A name such as "Orvanto headphones" says less than what is printed on the thing.
const saysMore = (name: string, { brand, details, typeName, modelName, category }: Facts): boolean => {
  const read = [brand?.name, details.model, modelName, typeName, category.nouns.en].filter(Boolean).join(' ');
  const known = new Set(fold(read).split(' '));
  return fold(name)
    .split(' ')
    .some((word) => !known.has(word));
};

// The person's own name for the thing is the best there is, as long as it is in the listing's language and adds to what was read.
const ownName = (facts: Facts, language: string): string | undefined => {
  const { seller, category } = facts;
  if (!seller.headline || (facts.typeName && !saysMore(seller.headline, facts))) return undefined;
  const known = category.id !== everythingElseId || seller.headline.split(' ').length >= 2;
  const understood = seller.languages.length === 0 || seller.languages.includes(findKnownLanguage(language));
  return known && understood ? capitalised(plain(seller.headline)) : undefined;
};

// What is printed is read as English; in another language the category's own word stands in its place.
const typeFor = (facts: Facts, language: string): string | undefined => {
  if (facts.category.id === everythingElseId) return undefined;
  return facts.typeName && findKnownLanguage(language) === 'en' ? plain(facts.typeName) : nounOf(facts, language);
};

const headingFor = ({ printed, brand, typeName, modelName }: Facts): string | undefined => {
  const heading = plain(printed.heading ?? '');
  const known = [brand?.name, typeName, modelName].some((name) => name && fold(name) === fold(heading));
  return heading !== '' && heading.split(' ').length <= 7 && !known ? heading : undefined;
};

const modelFor = ({ details, modelName }: Facts, before: string): string | undefined =>
  details.model && fold(before).includes(fold(details.model)) ? undefined : (modelName ?? details.model);

const colourFor = ({ category, colours, details }: Facts, own: string | undefined, language: string) => {
  const [colour] = colours;
  const named = titledCategories.has(category.id) || (own !== undefined && details.colours.length > 0);
  return named || colour === undefined ? undefined : colourIn(colour, language);
};

const itemTitleParts = (facts: Facts, language: string): string[] => {
  const { details, brand, category } = facts;
  const own = ownName(facts, language);
  const name = own ?? headingFor(facts);
  const type = own ? undefined : typeFor(facts, language);
  const [material] = details.materials;
  return withoutRepeats([
    brand && !fold(name ?? '').includes(fold(brand.name)) ? brand.name : undefined,
    modelFor(facts, name ?? ''),
    name && name !== own && category.id === everythingElseId && !brand ? `${nounOf(facts, language)} “${name}”` : name,
    type && name && fold(name).includes(fold(type)) ? undefined : type,
    details.storage,
    details.platform,
    termFor(details.features, language),
    termFor(details.connectivity, language),
    own || !material ? undefined : materialIn(material, language),
    colourFor(facts, own, language),
    details.size && !own?.includes(details.size) ? details.size : undefined,
    titledCategories.has(category.id) && !name ? codeOf(facts) : undefined,
    facts.setOf && !own?.includes(String(facts.setOf))
      ? phraseIn('setOf', language, { count: facts.setOf })
      : undefined,
  ]);
};

// A code tells a buyer exactly which product it is, even where nothing else does.
const codeOf = ({ identifiers }: Facts): string | undefined =>
  identifiers[0] && `${identifiers[0].kind.toUpperCase()} ${identifiers[0].code}`;

const fallbackTitle = (facts: Facts, language: string): string => {
  const colour = facts.colours[0];
  const noun = nounOf(facts, language);
  const coloured = colour ? `${noun}, ${colourIn(colour, language).toLowerCase()}` : noun;
  const code = codeOf(facts);
  if (code) return `${coloured} – ${code}`;
  return `${coloured} – ${phraseIn('seePhotos', language)}`;
};

const isUnknown = ({ category, brand, seller, printed }: Facts): boolean =>
  category.id === everythingElseId && !brand && !seller.headline && !printed.heading;

/** The listing's title: what is known, most telling first, within the site's length. */
export const composeTitle = (facts: Facts, language: string, length: number): string => {
  if (facts.workTitle) {
    const [work = '', kind = ''] = workTitle(facts, language);
    const whole = `${work} – ${kind}`;
    return whole.length <= length ? whole : clip(work, length);
  }
  if (isUnknown(facts)) return clip(fallbackTitle(facts, language), length);
  // Parts that no longer fit are left out from the end, so that none is cut in the middle.
  const parts = itemTitleParts(facts, language).map(plain);
  while (parts.length > 1 && parts.join(' ').length > length) parts.pop();
  const title = clip(parts.join(' '), length);
  return title === '' ? clip(fallbackTitle(facts, language), length) : title;
};
