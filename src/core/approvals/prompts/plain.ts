import { currencyOf, routeOf, type Listing, type RouteName } from '../../../contract/index.ts';
import { money } from '../../words/money.ts';
import type { Change, Fact, Prompt } from '../approval.ts';
import { canonical } from '../canonical.ts';
import type { Drawn, Reads } from './prompt.ts';
import { boundListing, targetOf } from './target.ts';

type Loose = { params?: Record<string, string> | undefined; body?: unknown };

/** What is said of an act besides the table's own summary. */
type Wording = { act: string; yes: string };

const wordings: Partial<Record<RouteName, Wording>> = {
  updateListing: { act: 'Set Best Offer', yes: 'Save Best Offer' },
  deleteListing: { act: 'Delete the listing', yes: 'Delete for good' },
  endListing: { act: 'End the live listing', yes: 'End for good' },
  endChannels: { act: 'End the live listing', yes: 'End for good' },
  reviseListing: { act: 'Change the live listing', yes: 'Change it live' },
  reviseChannels: { act: 'Change the live listing', yes: 'Change it live' },
  generateListing: { act: 'Write the listing again', yes: 'Write again, use one more listing' },
  revokeCurrentKey: { act: 'Disconnect from the service', yes: 'Disconnect for good' },
  quoteFees: { act: "Agree to the site's fee notice", yes: 'Agree' },
};

/**
 * The prompt of any act that has none of its own: the table's summary, the listing it is about, what would change, and
 * every field of the request, so that nothing is sent that was not shown.
 */
export const drawPlain = async (name: RouteName, input: Loose, reads: Reads): Promise<Drawn> => {
  const route = routeOf(name);
  const listingId = input.params?.['listingId'];
  const listing = listingId === undefined ? null : await reads.listing(listingId);
  const wording = wordings[name] ?? { act: route.summary.replace(/[.;].*$/, ''), yes: 'Yes, do it' };
  const final = route.reversible === false;
  const fields = fieldsOf(input.body);
  const changes = listing ? changesOf(listing, fields) : [];
  const prompt: Prompt = {
    act: wording.act,
    consequence: route.summary,
    target: listing ? targetOf(listing, reads) : null,
    changes: listing ? changes : fields.map(({ label, value }) => ({ label, before: '', after: value })),
    money: null,
    feeNotice: null,
    undo: final ? 'This cannot be undone.' : 'This can be changed again later.',
    final,
    yes: wording.yes,
  };
  return { prompt, bound: listing ? boundListing(listing) : {}, first: [] };
};

const fieldsOf = (body: unknown): Fact[] =>
  body !== null && typeof body === 'object'
    ? Object.entries(body).map(([label, value]) => ({
        label,
        value: typeof value === 'string' ? value : canonical(value),
      }))
    : [];

const changesOf = (listing: Listing, fields: Fact[]): Change[] => {
  const currency = currencyOf(listing);
  const show = (label: string, value: unknown): string => {
    if (value === undefined || value === null) return '';
    if (label === 'price' && Number.isInteger(Number(value))) return money(Number(value), currency);
    return typeof value === 'string' ? value : canonical(value);
  };
  return fields.map(({ label, value }) => ({ label, before: show(label, listing[label]), after: show(label, value) }));
};
