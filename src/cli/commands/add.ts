import { resolve } from 'node:path';
import * as z from 'zod';
import { Problem } from '../../core/base/problem.ts';
import type { Bridge } from '../bridge.ts';
import type { Command } from '../command.ts';
import { shown, type Output } from '../output.ts';

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

const rests = ({ step, stop }: Item): boolean => stop !== null || ['review', 'live', 'ended'].includes(step);

const follow = async (bridge: Bridge, out: Output, first: Item): Promise<Item> => {
  let at = first;
  while (!rests(at)) {
    out.progress(at.words, at.progress?.done ?? 0, at.progress?.total ?? 0);
    at = itemAnswer.parse(
      (await bridge.call('GET', `/companion/items/${encodeURIComponent(at.itemId)}?wait=2`)).body,
    ).item;
  }
  return at;
};

const quantityOf = (given: string | boolean | undefined): number | undefined => {
  if (given === undefined) return undefined;
  if (typeof given !== 'string' || !/^[1-9]\d{0,5}$/.test(given))
    throw new Problem('MISUSE', '--quantity takes a number from 1.');
  return Number(given);
};

/** Hands a folder that the person has allowed to the companion and follows it until there is a listing to review. */
export const add: Command = {
  takes: ['FOLDER'],
  flags: {
    note: { type: 'string' },
    quantity: { type: 'string' },
    site: { type: 'string' },
    language: { type: 'string' },
    'no-wait': { type: 'boolean' },
  },
  help: `  --note TEXT          What the person says about the item
  --quantity N         How many there are
  --site MKT_US        The marketplace site
  --language de        The language to write in
  --no-wait            Do not wait until it is written

The person allows folders in Listing Companion under Assistants. Nothing is published.`,
  run: async ({ given: [folder = ''], flags, bridge, out }) => {
    const body = {
      folder: resolve(folder),
      note: flags['note'],
      quantity: quantityOf(flags['quantity']),
      marketplaceId: flags['site'],
      listingLanguage: flags['language'],
    };
    const first = itemAnswer.parse((await bridge.call('POST', '/companion/items', { body })).body).item;
    const last = flags['no-wait'] ? first : await follow(bridge, out, first);
    if (last.stop) throw new Problem(last.stop.code, last.stop.error);
    const { itemId, listingId, step, words } = last;
    const where = listingId === null ? `Item ${itemId}` : `Item ${itemId}, listing ${listingId}`;
    out.result([`${shown(words)}. ${where}.`], { itemId, listingId, step, words });
    return 'ok';
  },
};
