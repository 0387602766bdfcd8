import * as z from 'zod';
import { listing } from '../../contract/index.ts';
import type { Command } from '../command.ts';
import { listingLines } from '../listingLines.ts';
import { shown } from '../output.ts';

const shownItem = z.looseObject({
  item: z.looseObject({ itemId: z.string(), words: z.string(), listingId: z.string().nullable() }),
});

/** Shows a listing, or an item by an id that begins with it_. */
export const show: Command = {
  takes: ['ID'],
  flags: {},
  help: 'ID is that of a listing, or of an item (it_…).',
  run: async ({ given: [id = ''], bridge, out }) => {
    const segment = encodeURIComponent(id);
    if (id.startsWith('it_')) {
      const { body } = await bridge.call('GET', `/companion/items/${segment}`);
      const { words, listingId } = shownItem.parse(body).item;
      out.result([`${shown(words)}${listingId === null ? '' : `, listing ${listingId}`}.`], body);
      return 'ok';
    }
    const { body } = await bridge.call('GET', `/listings/${segment}`);
    out.result(listingLines(listing.parse(body)), body);
    return 'ok';
  },
};
