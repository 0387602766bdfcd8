import { conditionNames, conditions, specificNames } from '../../market/category.ts';
import { getLocalisedText } from '../../market/languages.ts';
import { getCategoryName, getSpecificName } from '../../market/taxonomy.ts';
import { createWritingTask, type WritingTask } from '../facts/facts.ts';
import { parseBarcode } from '../facts/identifiers.ts';
import { formatPhrase } from '../description.ts';
import { capitaliseFirstLetter, truncateText, foldCase, removeMarkup } from '../plainText.ts';
import { buildQuantityNotes, createMissingSpecificNote } from '../listingNotes.ts';
import { composeListing } from '../compose.ts';
import { createPhotoWriter, type PhotoReader } from '../reading/photoReader.ts';
import type { ListingNote, WrittenListing, Writer } from '../writer.ts';
import { answerShape, type ModelListing, parseModelAnswer } from './readAnswer.ts';
import { createCorrectionRequest, createMessages } from './question.ts';
import { createModelEndpoint, ModelAnswerError, modelSettings, type AskModel, type ModelSettings } from './endpoint.ts';

const codeKinds = ['isbn', 'ean', 'upc', 'gtin', 'barcode'];
const meansUnknown = /^(?:unknown|n\/?a|none|null|not (?:known|specified|visible|stated)|unbekannt|[-–?.]*)$/i;

const translateLabel = (name: string, { category }: ModelListing, language: string): string => {
  const wanted = foldCase(name);
  const own = [...category.required, ...category.recommended].map((key) => specificNames[key]);
  const labels = [...own, ...Object.values(specificNames)].find((each) =>
    Object.values(each).some((label) => foldCase(label) === wanted),
  );
  return labels ? getLocalisedText(labels, language) : capitaliseFirstLetter(name);
};

type Entry = { name: string; value: string };
const isProductCode = ({ name }: Entry): boolean => codeKinds.includes(foldCase(name));

/** A scanned code replaces a code from the model. A code from the model needs a valid check digit. */
const listProductCodes = (entries: readonly Entry[], { facts }: WritingTask): [string, string][] => {
  const read = entries.filter(isProductCode).flatMap(({ value }) => parseBarcode({ text: value }) ?? []);
  return [...read, ...facts.identifiers.toReversed()].map(({ kind, code }) => [kind.toUpperCase(), code]);
};

const cleanText = (text: string, maxLength: number): string => truncateText(removeMarkup(text), maxLength);

const buildModelSpecifics = (listing: ModelListing, task: WritingTask): Record<string, string> => {
  const entries = listing.itemSpecifics
    .map(({ name, value }) => ({ name: cleanText(name, 40), value: cleanText(value, 65) }))
    .filter(({ name, value }) => name !== '' && !meansUnknown.test(value));
  const named = entries
    .filter((entry) => !isProductCode(entry))
    .map(({ name, value }) => [translateLabel(name, listing, task.language), value] as const);
  return Object.fromEntries([...named.slice(0, 30), ...listProductCodes(entries, task)]);
};

const findConditionMessage = ({ condition }: ModelListing, { facts }: WritingTask): string | undefined => {
  const spoken = facts.seller.condition;
  if (!spoken) return 'Nothing was said about the condition; it was judged by the photos.';
  // A listing whose condition is not better than the stated condition needs no note. `conditions` is sorted from best
  // to worst.
  if (conditions.indexOf(condition) >= conditions.indexOf(spoken)) return undefined;
  const [stated, listed] = [conditionNames[spoken].en, conditionNames[condition].en];
  return `Your words sound like “${stated}”, the listing says “${listed}”. Please check.`;
};

const buildModelNotes = (
  listing: ModelListing,
  task: WritingTask,
  specifics: Record<string, string>,
): ListingNote[] => {
  const message = findConditionMessage(listing, task);
  const missing = listing.category.required.filter((key) => !specifics[getSpecificName(key, task.language)]);
  const own = [
    ...missing.map((key) => createMissingSpecificNote(key, task.language)),
    ...(message ? [{ field: 'condition', message, blocks: false }] : []),
    ...buildQuantityNotes(task),
  ];
  const noted = new Set(own.map(({ field }) => foldCase(field)));
  const noticed = listing.unknown
    .map(({ field, message }) => ({ field: cleanText(field, 40), message: cleanText(message, 300), blocks: false }))
    .filter(({ field, message }) => field !== '' && message !== '' && !noted.has(foldCase(field)));
  return [...own, ...noticed.slice(0, 12)];
};

const toWrittenListing = (listing: ModelListing, task: WritingTask): WrittenListing => {
  const { title, description, category, condition, conditionDescription } = listing;
  const itemSpecifics = buildModelSpecifics(listing, task);
  return {
    ok: true,
    ...{ title, description, condition, itemSpecifics },
    categoryId: category.id,
    categoryName: getCategoryName(category, task.language),
    conditionDescription: truncateText(conditionDescription, 1000) || formatPhrase('conditionSeen', task.language),
    suggestedPriceCents: listing.priceMinor,
    notes: buildModelNotes(listing, task, itemSpecifics),
  };
};

const maxPhotos = 16;

const requestListing = async (
  ask: AskModel,
  task: WritingTask,
  photos: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<WrittenListing> => {
  const messages = createMessages(task, photos);
  const reply = await ask(messages, signal);
  const first = parseModelAnswer(reply, task);
  if (first.ok) return toWrittenListing(first.listing, task);
  const again = await ask([...messages, ...createCorrectionRequest(reply, first.problems)], signal);
  const second = parseModelAnswer(again, task);
  if (second.ok) return toWrittenListing(second.listing, task);
  throw new ModelAnswerError(`its answer could not be used twice (${truncateText(second.problems.join(' '), 240)})`);
};

/**
 * Listings are not searched for shorter keys. An endpoint on this computer accepts any key, for example "none", and a
 * listing can contain such a word by chance.
 */
const minSecretLength = 12;

const containsKey = (listing: WrittenListing, key = ''): boolean =>
  key.length >= minSecretLength && JSON.stringify(listing).includes(JSON.stringify(key).slice(1, -1));

const describeFailure = (error: unknown, timeoutMs: number): string => {
  if (error instanceof ModelAnswerError) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError')
    return `it did not answer within ${Math.ceil(timeoutMs / 1000)} s`;
  throw error;
};

export type VisionWriterOptions = ModelSettings & {
  /** Closing the writer also closes its photo reader. */
  reader: PhotoReader;
  fetch?: typeof globalThis.fetch;
  /** The time limit for one item, including a second request. */
  timeoutMs?: number;
  startTimeout?: (ms: number) => AbortSignal;
};

/**
 * Creates a writer that sends photos and data to a vision model and checks its answer. If the answer is unusable, it
 * writes the listing without the model. Throws if the settings are invalid.
 */
export const createVisionWriter = ({ reader, ...options }: VisionWriterOptions): Writer => {
  const settings = modelSettings.parse(options);
  const { fetch = globalThis.fetch, timeoutMs = 120_000, startTimeout = (ms) => AbortSignal.timeout(ms) } = options;
  const ask = createModelEndpoint({ ...settings, shape: answerShape, fetch });

  return createPhotoWriter(reader, async (readings, input, signal) => {
    try {
      const shrunk = await Promise.all(input.photos.slice(0, maxPhotos).map(({ path }) => reader.shrink(path, signal)));
      const photos = shrunk.filter((jpeg) => jpeg !== undefined);
      const limited = AbortSignal.any([signal, startTimeout(timeoutMs)]);
      const listing = await requestListing(ask, createWritingTask(readings, input), photos, limited);
      if (containsKey(listing, settings.key)) throw new ModelAnswerError('its answer held the key');
      return listing;
    } catch (error) {
      signal.throwIfAborted();
      const message = `Written without the model: ${describeFailure(error, timeoutMs)}.`;
      const listing = composeListing(readings, input);
      return { ...listing, notes: [...listing.notes, { field: 'writer', message, blocks: false }] };
    }
  });
};
