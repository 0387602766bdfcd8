import { collecting } from './categories/collecting.ts';
import { electronics } from './categories/electronics.ts';
import { fashion } from './categories/fashion.ts';
import { home } from './categories/home.ts';
import { leisure } from './categories/leisure.ts';
import { media } from './categories/media.ts';
import { other } from './categories/other.ts';
import {
  type Category,
  type GroupId,
  conditionLists,
  conditionNames,
  type Condition,
  specificNames,
  type SpecificKey,
} from './category.ts';
import { toKnownLanguage, parseLocalisedRows, getLocalisedText, type Localised } from './languages.ts';

export type { Category } from './category.ts';
export type { Condition } from './category.ts';

export const groupNames: Readonly<Record<GroupId, Localised>> = parseLocalisedRows({
  media:
    'Books, Music & Films|Bücher, Musik & Filme|Livres, musique et films|Libri, musica e film|Libros, música y cine|Boeken, muziek & films|Książki, muzyka i filmy|Böcker, musik & film',
  electronics: 'Electronics|Elektronik|High-tech|Elettronica|Electrónica|Elektronica|Elektronika|Elektronik',
  fashion: 'Fashion|Mode|Mode|Moda|Moda|Mode|Moda|Mode',
  home: 'Home & Garden|Haus & Garten|Maison et jardin|Casa e giardino|Casa y jardín|Huis & tuin|Dom i ogród|Hem & trädgård',
  leisure:
    'Toys, Sport & Leisure|Spielzeug, Sport & Freizeit|Jouets, sport et loisirs|Giochi, sport e tempo libero|Juguetes, deporte y ocio|Speelgoed, sport & vrije tijd|Zabawki, sport i rekreacja|Leksaker, sport & fritid',
  collecting:
    'Art & Collectables|Kunst & Sammeln|Art et collections|Arte e collezionismo|Arte y coleccionismo|Kunst & verzamelen|Sztuka i kolekcje|Konst & samlande',
  other: 'More|Weiteres|Plus|Altro|Más|Meer|Więcej|Mer',
});

export const categories: readonly Category[] = [
  ...media,
  ...electronics,
  ...fashion,
  ...home,
  ...leisure,
  ...collecting,
  ...other,
];

const byId = new Map(categories.map((category) => [category.id, category]));

export const everythingElseId = '9999';

export const booksId = '1001';

export const findCategoryById = (id: string): Category | undefined => byId.get(id);

export const getCategoryName = (category: Category, language: string): string =>
  getLocalisedText(category.names, language);

/** Returns the noun for one item of a category, for a title. */
export const getCategoryNoun = (category: Category, language: string): string =>
  getLocalisedText(category.nouns, language);

/** Returns the names of a category's group and of the category: `Electronics > Headphones`. */
export const buildCategoryPath = (category: Category, language: string): readonly string[] => [
  getLocalisedText(groupNames[category.group], language),
  getCategoryName(category, language),
];

/** Returns the conditions that a category accepts, best first, with their names. */
export const listAcceptedConditions = (
  category: Category,
  language: string,
): { condition: Condition; name: string }[] =>
  conditionLists[category.conditions].map((condition) => ({
    condition,
    name: conditionNames[condition][toKnownLanguage(language)],
  }));

export const isConditionAccepted = (category: Category, condition: string): boolean =>
  conditionLists[category.conditions].some((accepted) => accepted === condition);

export const getSpecificName = (key: SpecificKey, language: string): string =>
  getLocalisedText(specificNames[key], language);

/** Returns the categories that match every word of the query in their name, group, noun or keywords. */
export const searchCategoriesByWords = (query: string, language: string): Category[] => {
  const queryWords = query.toLowerCase().split(/\s+/).filter(Boolean);
  return categories.filter((category) => {
    const text = [...buildCategoryPath(category, language), ...Object.values(category.nouns), ...category.keywords];
    const searched = text.join(' ').toLowerCase();
    return queryWords.every((word) => searched.includes(word));
  });
};
