import { conditionNames, conditions, specificNames } from '../../market/category.ts';
import { getLocalisedText } from '../../market/languages.ts';
import { getCategoryName, getSpecificName } from '../../market/taxonomy.ts';
import { parseBarcode } from '../facts/identifiers.ts';
import { formatPhrase } from '../description.ts';
import { capitaliseFirstLetter, truncateText, foldCase, removeMarkup } from '../plainText.ts';
import { buildCommonNotes, createMissingSpecificNote } from '../listingNotes.ts';
import type { ListingNote, WrittenListing, Writer, Written } from '../writer.ts';
import { type ModelListing, parseModelAnswer } from './readAnswer.ts';
import { type WritingTask, answerShape, addCorrectionRequest, createMessages, createWritingTask } from './question.ts';
import { createModelEndpoint, ModelAnswerError, type Endpoint, modelSettings, type ModelSettings } from './endpoint.ts';
import { type PhotoReader, readPhotos, createUnreadableAnswer } from '../reading/photoReader.ts';

const codeKinds = new Set(['isbn', 'ean', 'upc', 'gtin', 'barcode']);
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

/** A scanned code replaces a code from the model. A code from the model needs a valid check digit. */
const listProductCodes = (entries: readonly Entry[], { facts }: WritingTask): [string, string][] => {
  const read = entries.flatMap(({ name, value }) =>
    codeKinds.has(foldCase(name)) ? (parseBarcode({ text: value }) ?? []) : [],
  );
  const codes = new Map([...read, ...facts.identifiers.toReversed()].map(({ kind, code }) => [kind, code]));
  return [...codes].map(([kind, code]) => [kind.toUpperCase(), code]);
};

const buildModelSpecifics = (listing: ModelListing, task: WritingTask): Record<string, string> => {
  const entries = listing.itemSpecifics
    .map(({ name, value }) => ({
      name: truncateText(removeMarkup(name), 40),
      value: truncateText(removeMarkup(value), 65),
    }))
    .filter(({ name, value }) => name !== '' && !meansUnknown.test(value));
  const named = entries
    .filter(({ name }) => !codeKinds.has(foldCase(name)))
    .map(({ name, value }) => [translateLabel(name, listing, task.language), value] as const);
  return Object.fromEntries([...named.slice(0, 30), ...listProductCodes(entries, task)]);
};

const buildModelConditionNotes = ({ condition }: ModelListing, { facts }: WritingTask): ListingNote[] => {
  const spoken = facts.seller.condition;
  if (!spoken)
    return [createListingNote('condition', 'Nothing was said about the condition; it was judged by the photos.')];
  // A listing whose condition is not better than the stated condition needs no note. `conditions` is sorted from best
  // to worst.
  if (conditions.indexOf(condition) >= conditions.indexOf(spoken)) return [];
  const [stated, listed] = [conditionNames[spoken].en, conditionNames[condition].en];
  return [
    createListingNote('condition', `Your words sound like “${stated}”, the listing says “${listed}”. Please check.`),
  ];
};

const buildModelNotes = (
  listing: ModelListing,
  task: WritingTask,
  specifics: Record<string, string>,
): ListingNote[] => {
  const missing = listing.category.required
    .filter((key) => !specifics[getSpecificName(key, task.language)])
    .map((key) => createMissingSpecificNote(key, task.language));
  const own = [...missing, ...buildModelConditionNotes(listing, task), ...buildCommonNotes(task.facts, task.quantity)];
  const noted = new Set(own.map(({ field }) => foldCase(field)));
  const noticed = listing.unknown
    .map(({ field, message }) =>
      createListingNote(truncateText(removeMarkup(field), 40), truncateText(removeMarkup(message), 300)),
    )
    .filter(({ field, message }) => field !== '' && message !== '' && !noted.has(foldCase(field)));
  return [...own, ...noticed.slice(0, 12)];
};

const toWrittenListing = (listing: ModelListing, task: WritingTask): WrittenListing => {
  const itemSpecifics = buildModelSpecifics(listing, task);
  return {
    ok: true,
    title: listing.title,
    description: listing.description,
    categoryId: listing.category.id,
    categoryName: getCategoryName(listing.category, task.language),
    condition: listing.condition,
    conditionDescription:
      truncateText(listing.conditionDescription, 1000) || formatPhrase('conditionSeen', task.language),
    suggestedPriceCents: listing.priceMinor,
    itemSpecifics,
    notes: buildModelNotes(listing, task, itemSpecifics),
  };
};

export type VisionWriterOptions = ModelSettings & {
  /** Writes the listing if the model gives no usable answer. Closing the vision writer also closes this writer. */
  fallback: Writer;
  reader: PhotoReader;
  fetch?: typeof globalThis.fetch;
  /** The time limit for one item, including a second request. */
  timeoutMs?: number;
  now?: () => number;
};

const parseSettings = (options: ModelSettings): ModelSettings => {
  const settings = modelSettings.safeParse(options);
  if (settings.success) return settings.data;
  throw new Error(settings.error.issues[0]?.message ?? 'The settings of the model cannot be used.');
};

const maxPhotos = 16;

const shrinkPhotos = async (
  reader: PhotoReader,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Uint8Array[]> => {
  const jpegs: Uint8Array[] = [];
  for (const path of paths.slice(0, maxPhotos)) {
    const jpeg = await reader.shrink(path, signal);
    if (jpeg) jpegs.push(jpeg);
  }
  return jpegs;
};

type ModelRequest = { task: WritingTask; photos: readonly Uint8Array[]; signalNow: () => AbortSignal };

const requestListingFromModel = async (
  endpoint: Endpoint,
  { task, photos, signalNow }: ModelRequest,
): Promise<WrittenListing> => {
  const messages = createMessages(task, photos);
  const reply = await endpoint.ask(messages, signalNow());
  const first = parseModelAnswer(reply, task);
  if (first.ok) return toWrittenListing(first.listing, task);
  const again = await endpoint.ask(addCorrectionRequest(messages, reply, first.problems), signalNow());
  const second = parseModelAnswer(again, task);
  if (second.ok) return toWrittenListing(second.listing, task);
  throw new ModelAnswerError(`its answer could not be used twice (${truncateText(second.problems.join(' '), 240)})`);
};

/**
 * Listings are not searched for shorter keys. An endpoint on this computer accepts any key, for example "none", and a
 * listing can contain such a word by chance.
 */
const minSecretLength = 12;

const requireNoLeakedKey = (listing: WrittenListing, key = ''): WrittenListing => {
  if (key.length >= minSecretLength && JSON.stringify(listing).includes(JSON.stringify(key).slice(1, -1)))
    throw new ModelAnswerError('its answer held the key');
  return listing;
};

const describeFailure = (error: unknown, timeoutMs: number): string => {
  if (error instanceof ModelAnswerError) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError')
    return `it did not answer within ${Math.ceil(timeoutMs / 1000)} s`;
  throw error;
};

const addFallbackNote = (written: Written, reason: string): Written =>
  written.ok
    ? { ...written, notes: [...written.notes, createListingNote('writer', `Written without the model: ${reason}.`)] }
    : written;

/**
 * Creates a writer that sends photos and data to a vision model and checks its answer. If the answer is unusable,
 * `fallback` writes the listing. Throws if the settings are invalid.
 */
export const createVisionWriter = (options: VisionWriterOptions): Writer => {
  const { fallback, reader, fetch = globalThis.fetch, timeoutMs = 120_000, now = () => performance.now() } = options;
  const settings = parseSettings(options);
  const endpoint = createModelEndpoint({ ...settings, shape: answerShape, fetch });
  const closing = new AbortController();

  const writeWithModel = async (
    task: WritingTask,
    paths: readonly string[],
    stop: AbortSignal,
  ): Promise<WrittenListing> => {
    const photos = await shrinkPhotos(reader, paths, stop);
    const until = now() + timeoutMs;
    const getRemainingMs = (): number => Math.max(1, Math.ceil(until - now()));
    const createDeadlineSignal = (): AbortSignal => AbortSignal.any([stop, AbortSignal.timeout(getRemainingMs())]);
    return requireNoLeakedKey(
      await requestListingFromModel(endpoint, { task, photos, signalNow: createDeadlineSignal }),
      settings.key,
    );
  };

  const write: Writer['write'] = async (input, signal) => {
    const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    const paths = input.photos.map(({ path }) => path);
    const readings = await readPhotos(reader, paths, stop);
    stop.throwIfAborted();
    if (readings.length === 0) return createUnreadableAnswer(paths.length);
    try {
      return await writeWithModel(createWritingTask(readings, input), paths, stop);
    } catch (error) {
      stop.throwIfAborted();
      const reason = describeFailure(error, timeoutMs);
      return addFallbackNote(await fallback.write(input, stop), reason);
    }
  };

  const close = async (): Promise<void> => {
    closing.abort(new Error('The writer is closed.'));
    await Promise.all([fallback.close(), reader.close()]);
  };

  return { write, close };
};
