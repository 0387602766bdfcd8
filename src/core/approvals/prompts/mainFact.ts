import type { Listing } from '../../../contract/index.ts';
import { core } from '../../../i18n/english.ts';
import { createMessage, type Message, type MessageValue } from '../../../i18n/message.ts';
import type { FieldChange, PromptFact } from '../../storage/tables/approvalRecord.ts';
import { createPathKey } from '../subject.ts';
import { quoteForeignText } from '../../base/messages.ts';
import type { PromptContent } from './promptDefinition.ts';
import { formatFieldValue, getListingTerms } from './values.ts';

/** In lists of prompts, longer texts are cut; the prompt itself shows the full text. */
const maxLineChars = 40;

const isLongText = (text: string): boolean => [...text].length > maxLineChars;
const quoteShortenedText = (text: string): Message => {
  const line = [...text.replace(/\s+/g, ' ').trim()];
  return quoteForeignText(line.length > maxLineChars ? `${line.slice(0, maxLineChars - 1).join('')}…` : line.join(''));
};

const formatLineValue = (text: string, says: Message | undefined): MessageValue =>
  says ?? (/^\d+$/.test(text) ? text : quoteShortenedText(text));

type LabelledFact = Pick<PromptFact, 'label' | 'labelSays' | 'foreign'>;

const formatLineLabel = ({ label, labelSays, foreign }: LabelledFact): Message => {
  if (labelSays && !(foreign && isLongText(label))) return labelSays;
  return foreign !== true && Object.hasOwn(core.labels, label) ? { key: `labels.${label}` } : quoteShortenedText(label);
};

export const formatFactLine = (fact: LabelledFact & Pick<PromptFact, 'value' | 'says'>): Message =>
  createMessage('notices.fact', { label: formatLineLabel(fact), value: formatLineValue(fact.value, fact.says) });

export const formatQuotedLine = (text: unknown): Message | null =>
  typeof text === 'string' && text.trim() !== '' ? quoteShortenedText(text) : null;

const isAmountMessage = (says: Message | undefined): boolean => says?.key === 'values.amount';

/** Prices need no label. For a long text, only the new value is shown. */
const formatChangeLine = (change: FieldChange): Message => {
  const { key, before, after, says = {} } = change;
  const isOnlyAfter = isLongText(before) || isLongText(after);
  const both = createMessage('values.changes', {
    before: formatLineValue(before, says.before),
    after: formatLineValue(after, says.after),
  });
  if (key === priceKey && isAmountMessage(says.before) && isAmountMessage(says.after)) return both;
  return createMessage('notices.fact', {
    label: formatLineLabel(change),
    value: isOnlyAfter ? formatLineValue(after, says.after) : both,
  });
};

const priceKey = createPathKey(['price']);

const formatPriceLine = (listing: Pick<Listing, 'price' | 'marketplaceId' | 'currency'>): Message | null =>
  formatFieldValue('price', listing.price, getListingTerms(listing)).says ?? null;

/** Returns the price of a listing, or a message that the price is not set or unknown. */
export const formatPriceOrUnknown = (listing: Pick<Listing, 'price' | 'marketplaceId' | 'currency'>): Message => {
  const missing = createMessage(listing.price === null ? 'values.notSet' : 'values.unknown');
  return (
    formatPriceLine(listing) ?? createMessage('notices.fact', { label: createMessage('labels.price'), value: missing })
  );
};

/** Returns the price of a listing, or its status if it has no price. */
export const formatPriceOrState = (listing: Listing): Message | null =>
  formatPriceLine(listing) ?? formatFieldValue('status', listing.status).says ?? null;

/** The fields that buyers read first, in this order. */
const mainKeys = ['price', 'quantity', 'format', 'title'].map((field) => createPathKey([field]));

const isRealChange = ({ before, after }: FieldChange): boolean => before !== after;

const chooseMainChange = (changes: readonly FieldChange[]): FieldChange | undefined => {
  const real = changes.some(isRealChange) ? changes.filter(isRealChange) : changes;
  const [main] = mainKeys.flatMap((wanted) => real.find(({ key }) => key === wanted) ?? []);
  return main ?? real[0];
};

/** Returns the main fact for lists that show one line per prompt; null if the heading already shows everything. */
export const chooseMainFact = ({ mainFact }: PromptContent, changes: readonly FieldChange[]): Message | null => {
  if (mainFact !== undefined) return mainFact;
  const main = chooseMainChange(changes);
  return main === undefined ? null : formatChangeLine(main);
};
