import { currencyOf, type Listing } from '../../../contract/index.ts';
import { core } from '../../../i18n/english.ts';
import { message, type Message, type MessageValue } from '../../../i18n/message.ts';
import type { Change, Fact } from '../../storage/tables/approvalRecord.ts';
import { pathKey } from '../subject.ts';
import { quotedWhole } from './quotes.ts';
import type { Sheet } from './prompt.ts';
import { valueText } from './values.ts';

/** A longer text is cut: the prompt itself shows all of it. */
const maxChars = 40;

const isLong = (text: string): boolean => [...text].length > maxChars;
/** Words of somebody else in marks of ours, so that they cannot pass for our words. */
const quotedShort = (text: string): Message => {
  const line = [...text.replace(/\s+/g, ' ').trim()];
  return quotedWhole(line.length > maxChars ? `${line.slice(0, maxChars - 1).join('')}…` : line.join(''));
};

const valueOf = (text: string, says: Message | undefined): MessageValue =>
  says ?? (/^\d+$/.test(text) ? text : quotedShort(text));

type Named = Pick<Fact, 'label' | 'labelSays' | 'foreign'>;

const labelOf = ({ label, labelSays, foreign }: Named): Message => {
  if (labelSays && !(foreign && isLong(label))) return labelSays;
  return foreign !== true && Object.hasOwn(core.labels, label) ? { key: `labels.${label}` } : quotedShort(label);
};

/** A fact with its name, as a line. */
export const factLine = (fact: Named & Pick<Fact, 'value' | 'says'>): Message =>
  message('notices.fact', { label: labelOf(fact), value: valueOf(fact.value, fact.says) });

/** Words of somebody else as a line. */
export const quotedLine = (text: unknown): Message | null =>
  typeof text === 'string' && text.trim() !== '' ? quotedShort(text) : null;

const isAmount = (says: Message | undefined): boolean => says?.key === 'values.amount';

/** A change as a line: an amount before and after stands for itself, and of a long text only what it becomes is told. */
const changeLine = (change: Change): Message => {
  const { key, before, after, says = {} } = change;
  const isOnlyAfter = isLong(before) || isLong(after);
  const both = message('values.changes', { before: valueOf(before, says.before), after: valueOf(after, says.after) });
  if (key === priceKey && isAmount(says.before) && isAmount(says.after)) return both;
  return message('notices.fact', { label: labelOf(change), value: isOnlyAfter ? valueOf(after, says.after) : both });
};

const priceKey = pathKey(['price']);

/** The price of a listing in its currency; null where it has none. */
const priceLine = (listing: Pick<Listing, 'price' | 'marketplaceId' | 'currency'>): Message | null =>
  valueText('price', listing.price, currencyOf(listing)).says ?? null;

/** The price of a listing for a list that names it in any case: also that it is not set, or that the service does not tell. */
export const priceOrUnknown = (listing: Pick<Listing, 'price' | 'marketplaceId' | 'currency'>): Message => {
  const missing = message(listing.price === null ? 'values.notSet' : 'values.unknown');
  return priceLine(listing) ?? message('notices.fact', { label: message('labels.price'), value: missing });
};

/** What a listing that may have no price is known by in a list: its price, else its state. */
export const priceOrState = (listing: Listing): Message | null =>
  priceLine(listing) ?? valueText('status', listing.status, null).says ?? null;

/** What buyers look at first, in this order; any other field comes in the order in which it is sent. */
const mainKeys = ['price', 'quantity', 'format', 'title'].map((field) => pathKey([field]));

const isReal = ({ before, after }: Change): boolean => before !== after;

const mainChangeOf = (changes: readonly Change[]): Change | undefined => {
  const real = changes.some(isReal) ? changes.filter(isReal) : changes;
  const [main] = mainKeys.flatMap((wanted) => real.find(({ key }) => key === wanted) ?? []);
  return main ?? real[0];
};

/**
 * The main fact of a prompt, for lists that show one line of each: what its act says of itself, else what it changes. Null
 * where the heading tells it all.
 */
export const mainFactOf = ({ mainFact }: Sheet, changes: readonly Change[]): Message | null => {
  if (mainFact !== undefined) return mainFact;
  const main = mainChangeOf(changes);
  return main === undefined ? null : changeLine(main);
};
