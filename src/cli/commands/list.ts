import { pathOf } from '../../contract/index.ts';
import type { Command } from '../command.ts';
import { listingLine, listingPage } from '../listingLines.ts';

/** Lists the listings, newest first. */
export const list: Command = {
  takes: [],
  flags: {
    status: { type: 'string' },
    query: { type: 'string' },
    limit: { type: 'string' },
    cursor: { type: 'string' },
  },
  help: `  --status STATUS      draft, processing, pending_review, published, ended, sold or failed
  --query WORDS        Words in the title
  --limit N            How many; 25 when left out
  --cursor CURSOR      nextCursor of the page before`,
  run: async ({ flags: { status, query, limit = '25', cursor }, bridge, out }) => {
    const path = pathOf('/listings', {}, { status, q: query, limit, cursor });
    const { body } = await bridge.call('GET', path);
    const { listings, nextCursor } = listingPage.parse(body);
    const more = nextCursor ? [`More: --cursor ${nextCursor}`] : [];
    out.result(listings.length === 0 ? ['No listings.'] : [...listings.map(listingLine), ...more], body);
    return 'ok';
  },
};
