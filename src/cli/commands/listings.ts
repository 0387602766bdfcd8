import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import * as z from 'zod';
import { Problem } from '../../core/base/problem.ts';
import { parseAnswerBody, type BridgeClient } from '../bridgeClient.ts';
import { type Command, toTerminalText, type Output } from '../command.ts';
import { findListingCurrency, listing, type Listing, buildRoutePath } from '../../contract/index.ts';
import { formatEnglishMoney } from '../../i18n/english.ts';

const item = z.looseObject({
  itemId: z.string(),
  step: z.string(),
  words: z.string(),
  listingId: z.string().nullable(),
  progress: z.object({ done: z.number(), total: z.number() }).nullable(),
  stop: z.object({ code: z.string(), error: z.string() }).nullable(),
});
type Item = z.infer<typeof item>;
const itemAnswer = z.looseObject({ item });

const isItemFinished = ({ step, stop }: Item): boolean => stop !== null || ['review', 'live', 'ended'].includes(step);

const waitForItem = async (bridge: BridgeClient, out: Output, first: Item): Promise<Item> => {
  let current = first;
  while (!isItemFinished(current)) {
    out.progress(current.words, current.progress?.done ?? 0, current.progress?.total ?? 0);
    current = parseAnswerBody(
      itemAnswer,
      (await bridge.call('GET', `/companion/items/${encodeURIComponent(current.itemId)}?wait=2`)).body,
    ).item;
  }
  return current;
};

const parseQuantityFlag = (given: string | boolean | undefined): number | undefined => {
  if (given === undefined) return undefined;
  if (typeof given !== 'string' || !/^[1-9]\d{0,5}$/.test(given))
    throw new Problem('MISUSE', '--quantity takes a number from 1.');
  return Number(given);
};

export const addCommand: Command = {
  takes: ['FOLDER'],
  flags: {
    note: { type: 'string' },
    quantity: { type: 'string' },
    site: { type: 'string' },
    language: { type: 'string' },
    template: { type: 'string' },
    place: { type: 'string' },
    sku: { type: 'string' },
    'no-wait': { type: 'boolean' },
  },
  help: `  --note TEXT          What the person says about the item
  --quantity N         How many there are
  --site MKT_US        The marketplace site
  --language de        The language to write in
  --template ID        The template to begin with, or none
  --place PLACE        Where it is; only the person sees it
  --sku SKU            The number on its label; only the person sees it
  --no-wait            Do not wait until it is written

The person allows folders in Listing Companion under Assistants. Nothing is published.`,
  run: async ({ given: [folder = ''], flags, bridge, out }) => {
    const body = {
      folder: resolve(folder),
      note: flags['note'],
      quantity: parseQuantityFlag(flags['quantity']),
      marketplaceId: flags['site'],
      listingLanguage: flags['language'],
      templateId: flags['template'] === 'none' ? null : flags['template'],
      ...(flags['place'] === undefined && flags['sku'] === undefined
        ? {}
        : { shelf: { place: flags['place'], sku: flags['sku'] } }),
    };
    // The key prevents a second item if the request is sent twice.
    const headers = { 'idempotency-key': randomUUID() };
    const first = parseAnswerBody(
      itemAnswer,
      (await bridge.call('POST', '/companion/items', { body, headers })).body,
    ).item;
    const last = flags['no-wait'] ? first : await waitForItem(bridge, out, first);
    if (last.stop) throw new Problem(last.stop.code, last.stop.error);
    const { itemId, listingId, step, words } = last;
    const where = listingId === null ? `Item ${itemId}` : `Item ${itemId}, listing ${listingId}`;
    out.result([`${toTerminalText(words)}. ${where}.`], { itemId, listingId, step, words });
    return 'ok';
  },
};

export const listingPage = z.looseObject({ listings: z.array(listing), nextCursor: z.string().nullish() });

const formatListingPrice = (one: Listing): string =>
  one.price === null || one.price === undefined ? '' : formatEnglishMoney(one.price, findListingCurrency(one));

export const formatListingLine = (one: Listing): string =>
  [one.listingId, one.status, formatListingPrice(one), toTerminalText(one.title ?? '(no title)', 70)]
    .filter(Boolean)
    .join('  ');

export const formatListingDetails = (one: Listing): string[] => [
  toTerminalText(one.title ?? '(no title)', 120),
  `${one.status}  ${one.marketplaceId ?? ''}  ${formatListingPrice(one)}  ${one.condition ?? ''}  quantity ${one.quantity ?? 1}`,
  ...Object.entries(one.itemSpecifics ?? {}).map(
    ([name, value]) => `  ${toTerminalText(name, 30)}: ${toTerminalText(value, 70)}`,
  ),
  ...(one.publishBlockers ?? []).map(({ message, code }) => `  To mend: ${toTerminalText(message ?? code, 120)}`),
  ...(one.description ? [toTerminalText(one.description, 600)] : []),
  ...(one.marketListingUrl ? [toTerminalText(one.marketListingUrl, 200)] : []),
];

export const listCommand: Command = {
  takes: [],
  flags: {
    status: { type: 'string' },
    query: { type: 'string' },
    place: { type: 'string' },
    sku: { type: 'string' },
    tag: { type: 'string' },
    limit: { type: 'string' },
    cursor: { type: 'string' },
  },
  help: `  --status STATUS      draft, processing, pending_review, published, ended, sold or failed
  --query WORDS        Words in the title
  --place PLACE        Where it is; as --sku and --tag, with the right that the person gives
  --sku SKU            The number on its label
  --tag TAG            A tag of the person
  --limit N            How many; 25 when left out
  --cursor CURSOR      nextCursor of the page before`,
  run: async ({ flags: { status, query, limit = '25', cursor, ...shelf }, bridge, out }) => {
    const isOnShelf = Object.values(shelf).some((value) => value !== undefined);
    const path = buildRoutePath(
      isOnShelf ? '/companion/shelf' : '/listings',
      {},
      { ...shelf, status, q: query, limit, cursor },
    );
    const { body } = await bridge.call('GET', path);
    const { listings, nextCursor } = parseAnswerBody(listingPage, body);
    const more = nextCursor ? [`More: --cursor ${nextCursor}`] : [];
    out.result(listings.length === 0 ? ['No listings.'] : [...listings.map(formatListingLine), ...more], body);
    return 'ok';
  },
};

const shownItem = z.looseObject({
  item: z.looseObject({ itemId: z.string(), words: z.string(), listingId: z.string().nullable() }),
});

/** An id that begins with `it_` is the id of an item. */
export const showCommand: Command = {
  takes: ['ID'],
  flags: {},
  help: 'ID is that of a listing, or of an item (it_…).',
  run: async ({ given: [id = ''], bridge, out }) => {
    const segment = encodeURIComponent(id);
    if (id.startsWith('it_')) {
      const { body } = await bridge.call('GET', `/companion/items/${segment}`);
      const { words, listingId } = parseAnswerBody(shownItem, body).item;
      out.result([`${toTerminalText(words)}${listingId === null ? '' : `, listing ${listingId}`}.`], body);
      return 'ok';
    }
    const { body } = await bridge.call('GET', `/listings/${segment}`);
    out.result(formatListingDetails(parseAnswerBody(listing, body)), body);
    return 'ok';
  },
};
