import { conditionNames, conditions, specificNames } from '../../market/category.ts';
import { findLocalisedText } from '../../market/languages.ts';
import { findCategoryName, findSpecificName } from '../../market/taxonomy.ts';
import { parseBarcode } from '../facts/identifiers.ts';
import { formatPhrase } from '../description.ts';
import { capitalise, clipText, fold, removeMarkup } from '../plainText.ts';
import { listCommonNotes, createRequiredNote, createNote } from '../listingNotes.ts';
import type { ListingNote, WrittenListing, Writer, Written } from '../writer.ts';
import { type ModelListing, readAnswer } from './readAnswer.ts';
import { type WritingTask, answerShape, retryQuestion, questionFor, taskOf } from './question.ts';
import { createEndpoint, NoAnswer, type Endpoint, modelSettings, type ModelSettings } from './endpoint.ts';
import { type PhotoReader, readPhotos, unreadable } from '../reading/photoReader.ts';

const codeKinds = new Set(['isbn', 'ean', 'upc', 'gtin', 'barcode']);
const sameAsNothing = /^(?:unknown|n\/?a|none|null|not (?:known|specified|removeControls|stated)|unbekannt|[-–?.]*)$/i;

// "Brand" in a German listing is what German buyers know as "Marke".
const labelFor = (name: string, { category }: ModelListing, language: string): string => {
  const wanted = fold(name);
  const own = [...category.required, ...category.recommended].map((key) => specificNames[key]);
  const labels = [...own, ...Object.values(specificNames)].find((each) =>
    Object.values(each).some((label) => fold(label) === wanted),
  );
  return labels ? findLocalisedText(labels, language) : capitalise(name);
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
    .map(({ name, value }) => ({ name: clipText(removeMarkup(name), 40), value: clipText(removeMarkup(value), 65) }))
    .filter(({ name, value }) => name !== '' && !sameAsNothing.test(value));
  const named = entries
    .filter(({ name }) => !codeKinds.has(fold(name)))
    .map(({ name, value }) => [labelFor(name, listing, task.language), value] as const);
  return Object.fromEntries([...named.slice(0, 30), ...codesIn(entries, task)]);
};

const conditionNotes = ({ condition }: ModelListing, { facts }: WritingTask): ListingNote[] => {
  const spoken = facts.seller.condition;
  if (!spoken) return [createNote('condition', 'Nothing was said about the condition; it was judged by the photos.')];
  // The list begins with the best one.
  if (conditions.indexOf(condition) >= conditions.indexOf(spoken)) return [];
  const [stated, listed] = [conditionNames[spoken].en, conditionNames[condition].en];
  return [createNote('condition', `Your words sound like “${stated}”, the listing says “${listed}”. Please check.`)];
};

const notesFor = (listing: ModelListing, task: WritingTask, specifics: Record<string, string>): ListingNote[] => {
  const missing = listing.category.required
    .filter((key) => !specifics[findSpecificName(key, task.language)])
    .map((key) => createRequiredNote(key, task.language));
  const own = [...missing, ...conditionNotes(listing, task), ...listCommonNotes(task.facts, task.quantity)];
  const noted = new Set(own.map(({ field }) => fold(field)));
  const noticed = listing.unknown
    .map(({ field, message }) => createNote(clipText(removeMarkup(field), 40), clipText(removeMarkup(message), 300)))
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
    categoryName: findCategoryName(listing.category, task.language),
    condition: listing.condition,
    conditionDescription: clipText(listing.conditionDescription, 1000) || formatPhrase('conditionSeen', task.language),
    suggestedPriceCents: listing.priceMinor,
    itemSpecifics,
    notes: notesFor(listing, task, itemSpecifics),
  };
};

/** The model to ask, and what writes and reads besides. */
export type VisionWriterOptions = ModelSettings & {
  /** Writes when the model does not. Closed with this writer, as the reader is. */
  fallback: Writer;
  /** Reads and shrinks the photos in its own thread. */
  reader: PhotoReader;
  fetch?: typeof globalThis.fetch;
  /** How long the model has for one item, both tries together. */
  timeoutMs?: number;
  now?: () => number;
};

const settingsOf = (options: ModelSettings): ModelSettings => {
  const settings = modelSettings.safeParse(options);
  if (settings.success) return settings.data;
  throw new Error(settings.error.issues[0]?.message ?? 'The settings of the model cannot be used.');
};

const maxPhotos = 16;

const shrinkAll = async (reader: PhotoReader, paths: readonly string[], signal: AbortSignal): Promise<Uint8Array[]> => {
  const jpegs: Uint8Array[] = [];
  for (const path of paths.slice(0, maxPhotos)) {
    const jpeg = await reader.shrink(path, signal);
    if (jpeg) jpegs.push(jpeg);
  }
  return jpegs;
};

type Question = { task: WritingTask; photos: readonly Uint8Array[]; signalNow: () => AbortSignal };

// One more try, with the faults named; a model that errs twice about one item is not asked a third time.
const askTwice = async (endpoint: Endpoint, { task, photos, signalNow }: Question): Promise<WrittenListing> => {
  const question = questionFor(task, photos);
  const reply = await endpoint.ask(question, signalNow());
  const first = readAnswer(reply, task);
  if (first.ok) return listingFrom(first.listing, task);
  const again = await endpoint.ask(retryQuestion(question, reply, first.problems), signalNow());
  const second = readAnswer(again, task);
  if (second.ok) return listingFrom(second.listing, task);
  throw new NoAnswer(`its answer could not be used twice (${clipText(second.problems.join(' '), 240)})`);
};

// Endpoints on the own computer take any word for a key, such as "none", which a listing may well hold.
const shortestSecret = 12;

const withoutKey = (listing: WrittenListing, key = ''): WrittenListing => {
  if (key.length >= shortestSecret && JSON.stringify(listing).includes(JSON.stringify(key).slice(1, -1)))
    throw new NoAnswer('its answer held the key');
  return listing;
};

const reasonOf = (error: unknown, timeoutMs: number): string => {
  if (error instanceof NoAnswer) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError')
    return `it did not answer within ${Math.ceil(timeoutMs / 1000)} s`;
  throw error;
};

const withNote = (written: Written, reason: string): Written =>
  written.ok
    ? { ...written, notes: [...written.notes, createNote('writer', `Written without the model: ${reason}.`)] }
    : written;

/**
 * A writer that puts the photos, what was read in them and the person's words to a vision model behind any
 * OpenAI-compatible address, and trusts its answer only as far as the marketplace's rules go. When there is no usable
 * answer the other writer writes, and the listing says so. Throws a sentence when address, model or key cannot be used.
 */
export const createVisionWriter = (options: VisionWriterOptions): Writer => {
  const { fallback, reader, fetch = globalThis.fetch, timeoutMs = 120_000, now = () => performance.now() } = options;
  const settings = settingsOf(options);
  const endpoint = createEndpoint({ ...settings, shape: answerShape, fetch });
  const closing = new AbortController();

  const askModel = async (task: WritingTask, paths: readonly string[], stop: AbortSignal): Promise<WrittenListing> => {
    const photos = await shrinkAll(reader, paths, stop);
    const until = now() + timeoutMs;
    const leftMs = (): number => Math.max(1, Math.ceil(until - now()));
    const signalNow = (): AbortSignal => AbortSignal.any([stop, AbortSignal.timeout(leftMs())]);
    return withoutKey(await askTwice(endpoint, { task, photos, signalNow }), settings.key);
  };

  const write: Writer['write'] = async (input, signal) => {
    const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    const paths = input.photos.map(({ path }) => path);
    const readings = await readPhotos(reader, paths, stop);
    stop.throwIfAborted();
    if (readings.length === 0) return unreadable(paths.length);
    try {
      return await askModel(taskOf(readings, input), paths, stop);
    } catch (error) {
      stop.throwIfAborted();
      const reason = reasonOf(error, timeoutMs);
      return withNote(await fallback.write(input, stop), reason);
    }
  };

  const close = async (): Promise<void> => {
    closing.abort(new Error('The writer is closed.'));
    await Promise.all([fallback.close(), reader.close()]);
  };

  return { write, close };
};
