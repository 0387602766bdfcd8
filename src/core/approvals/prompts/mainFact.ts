import { currencyOf, type Listing } from '../../../contract/index.ts';
import { core } from '../../../i18n/english.ts';
import { message, type Message, type MessageValue } from '../../../i18n/message.ts';
import type { Change, Fact } from '../../storage/tables/approvalRecord.ts';
import { pathKey } from '../subject.ts';
import { quotedWhole } from './quotes.ts';
import type { Sheet } from './prompt.ts';
import { valueText } from './values.ts';

/** Longer texts are cut; the prompt itself shows the full text. */
const maxChars = 40;

const isLong = (text: string): boolean => [...text].length > maxChars;
/** Quotes foreign text, so that it cannot imitate texts of the companion. */
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

export const factLine = (fact: Named & Pick<Fact, 'value' | 'says'>): Message =>
  message('notices.fact', { label: labelOf(fact), value: valueOf(fact.value, fact.says) });

export const quotedLine = (text: unknown): Message | null =>
  typeof text === 'string' && text.trim() !== '' ? quotedShort(text) : null;

const isAmount = (says: Message | undefined): boolean => says?.key === 'values.amount';

/** Formats a change as one line. Amounts need no label; of a long text only the new value is shown. */
const changeLine = (change: Change): Message => {
  const { key, before, after, says = {} } = change;
  const isOnlyAfter = isLong(before) || isLong(after);
  const both = message('values.changes', { before: valueOf(before, says.before), after: valueOf(after, says.after) });
  if (key === priceKey && isAmount(says.before) && isAmount(says.after)) return both;
  return message('notices.fact', { label: labelOf(change), value: isOnlyAfter ? valueOf(after, says.after) : both });
};

const priceKey = pathKey(['price']);

/** Returns the price of a listing in its currency; null if it has none. */
const priceLine = (listing: Pick<Listing, 'price' | 'marketplaceId' | 'currency'>): Message | null =>
  valueText('price', listing.price, currencyOf(listing)).says ?? null;

/** Returns the price of a listing, or that it is not set or unknown. */
export const priceOrUnknown = (listing: Pick<Listing, 'price' | 'marketplaceId' | 'currency'>): Message => {
  const missing = message(listing.price === null ? 'values.notSet' : 'values.unknown');
  return priceLine(listing) ?? message('notices.fact', { label: message('labels.price'), value: missing });
};

/** Returns the price of a listing, or its status if it has no price. */
export const priceOrState = (listing: Listing): Message | null =>
  priceLine(listing) ?? valueText('status', listing.status, null).says ?? null;

/** The fields that buyers look at first, in this order. Other fields follow in the order in which they are sent. */
const mainKeys = ['price', 'quantity', 'format', 'title'].map((field) => pathKey([field]));

const isReal = ({ before, after }: Change): boolean => before !== after;

const mainChangeOf = (changes: readonly Change[]): Change | undefined => {
  const real = changes.some(isReal) ? changes.filter(isReal) : changes;
  const [main] = mainKeys.flatMap((wanted) => real.find(({ key }) => key === wanted) ?? []);
  return main ?? real[0];
};

/**
 * Returns the main fact of a prompt for lists with one line each: the act's own, else its main change.
 * Null if the heading already says everything.
 */
export const mainFactOf = ({ mainFact }: Sheet, changes: readonly Change[]): Message | null => {
  if (mainFact !== undefined) return mainFact;
  const main = mainChangeOf(changes);
  return main === undefined ? null : changeLine(main);
};
