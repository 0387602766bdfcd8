import { conditionNames, conditions, specificNames } from '../../market/category.ts';
import { textIn } from '../../market/languages.ts';
import { categoryName, specificName } from '../../market/taxonomy.ts';
import { parseBarcode } from '../facts/identifiers.ts';
import { phraseIn } from '../phrases.ts';
import { capitalised, clip, fold, plain } from '../plainText.ts';
import { photoNotes, quantityNotes, requiredNote, noteOn } from '../listingNotes.ts';
import type { ListingNote, WrittenListing } from '../writer.ts';
import type { ModelListing } from './readAnswer.ts';
import type { WritingTask } from './question.ts';

const codeKinds = new Set(['isbn', 'ean', 'upc', 'gtin', 'barcode']);
const sameAsNothing = /^(?:unknown|n\/?a|none|null|not (?:known|specified|visible|stated)|unbekannt|[-–?.]*)$/i;

// "Brand" in a German listing is what German buyers know as "Marke".
const labelFor = (name: string, { category }: ModelListing, language: string): string => {
  const wanted = fold(name);
  const own = [...category.required, ...category.recommended].map((key) => specificNames[key]);
  const labels = [...own, ...Object.values(specificNames)].find((each) =>
    Object.values(each).some((label) => fold(label) === wanted),
  );
  return labels ? textIn(labels, language) : capitalised(name);
};

type Entry = { name: string; value: string };

// A code that was scanned is right; one that a model read is taken when its check digit fits.
const codesIn = (entries: readonly Entry[], { facts }: WritingTask): [string, string][] => {
  const read = entries.flatMap(({ name, value }) =>
    codeKinds.has(fold(name)) ? (parseBarcode({ text: value }) ?? []) : [],
  );
  const codes = new Map([...read, ...facts.identifiers.toReversed()].map(({ kind, code }) => [kind, code]));
  return [...codes].map(([kind, code]) => [kind.toUpperCase(), code]);
};

const specificsOf = (listing: ModelListing, task: WritingTask): Record<string, string> => {
  const entries = listing.itemSpecifics
    .map(({ name, value }) => ({ name: clip(plain(name), 40), value: clip(plain(value), 65) }))
    .filter(({ name, value }) => name !== '' && !sameAsNothing.test(value));
  const named = entries
    .filter(({ name }) => !codeKinds.has(fold(name)))
    .map(({ name, value }) => [labelFor(name, listing, task.language), value] as const);
  return Object.fromEntries([...named.slice(0, 30), ...codesIn(entries, task)]);
};

const conditionNotes = ({ condition }: ModelListing, { facts }: WritingTask): ListingNote[] => {
  const spoken = facts.seller.condition;
  if (!spoken) return [noteOn('condition', 'Nothing was said about the condition; it was judged by the photos.')];
  // The list begins with the best one.
  if (conditions.indexOf(condition) >= conditions.indexOf(spoken)) return [];
  const [stated, listed] = [conditionNames[spoken].en, conditionNames[condition].en];
  return [noteOn('condition', `Your words sound like “${stated}”, the listing says “${listed}”. Please check.`)];
};

const notesFor = (listing: ModelListing, task: WritingTask, specifics: Record<string, string>): ListingNote[] => {
  const missing = listing.category.required
    .filter((key) => !specifics[specificName(key, task.language)])
    .map((key) => requiredNote(key, task.language));
  const own = [
    ...missing,
    ...conditionNotes(listing, task),
    ...quantityNotes(task.facts, task.quantity),
    ...photoNotes(task.facts),
  ];
  const noted = new Set(own.map(({ field }) => fold(field)));
  const noticed = listing.unknown
    .map(({ field, message }) => noteOn(clip(plain(field), 40), clip(plain(message), 300)))
    .filter(({ field, message }) => field !== '' && message !== '' && !noted.has(fold(field)));
  return [...own, ...noticed.slice(0, 12)];
};

/** The listing as everybody else sees it, from what a model wrote and what is known without it. */
export const listingFrom = (listing: ModelListing, task: WritingTask): WrittenListing => {
  const itemSpecifics = specificsOf(listing, task);
  return {
    ok: true,
    title: listing.title,
    description: listing.description,
    categoryId: listing.category.id,
    categoryName: categoryName(listing.category, task.language),
    condition: listing.condition,
    conditionDescription: clip(listing.conditionDescription, 1000) || phraseIn('conditionSeen', task.language),
    suggestedPriceCents: listing.priceMinor,
    itemSpecifics,
    notes: notesFor(listing, task, itemSpecifics),
  };
};
