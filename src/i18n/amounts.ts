/** A parsed amount of money. `either` is ambiguous: only the person knows which amount is meant. */
export type ParsedAmount =
  { kind: 'cents'; cents: number } | { kind: 'either'; cents: readonly [number, number] } | { kind: 'none' | 'unread' };

/** The separators of a language's numbers: thousands and decimals. */
type NumberMarks = { group: string; decimal: string };

const readNumberMarks = (locale: string): NumberMarks => {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(1_234_567.8);
  const findPartValue = (partType: string): string => parts.find(({ type }) => type === partType)?.value ?? '';
  return { group: findPartValue('group'), decimal: findPartValue('decimal') };
};

/** Formats an amount without a currency: "1,234.50", "1.234,50". `cents` is in hundredths. */
export const formatPlainAmount = (cents: number, locale: string): string =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cents / 100);

const spaces = /[\s\u00a0\u202f]/g;
/** Thousands separated by spaces or apostrophes. No language uses these as a decimal separator. */
const spacedThousands = /^(\d{1,3})((?:[ ’']\d{3})+)(?![\d])/;

/** Removes the currency and the spaces between thousands; null if spaces occur anywhere else. */
const stripAmountText = (text: string): string | null => {
  const trimmed = text.replace(spaces, ' ').replace(/^[^\d.,+\-−–]+|[^\d.,\-−–]+$/g, '');
  const closed = trimmed.replace(spacedThousands, (spacedText) => spacedText.replace(/[ ’']/g, ''));
  return /^[+\-−–]?[\d.,]+$/.test(closed) ? closed : null;
};

const toHundredths = (integerPart: string, decimals: string): number =>
  Number(integerPart) * 100 + Number(decimals.padEnd(2, '0'));
const isGrouped = (groups: readonly string[]): boolean =>
  /^[1-9]\d{0,2}$/.test(groups[0] ?? '') && groups.slice(1).every((group) => /^\d{3}$/.test(group));
const unreadAmount: ParsedAmount = { kind: 'unread' };
const createCentsAmount = (value: number): ParsedAmount => ({ kind: 'cents', cents: value });

/**
 * Reads a number with one separator: decimals, or thousands if the language writes them so. Otherwise it is ambiguous.
 */
const readSingleMarkAmount = (before: string, mark: string, after: string, { group }: NumberMarks): ParsedAmount => {
  if (!/^\d+$/.test(before)) return unreadAmount;
  if (/^\d{1,2}$/.test(after)) return createCentsAmount(toHundredths(before, after));
  if (!isGrouped([before, after])) return unreadAmount;
  const thousands = Number(before + after) * 100;
  if (mark === group) return createCentsAmount(thousands);
  return { kind: 'either', cents: [thousands, Math.round(Number(`${before}.${after}`) * 100)] };
};

/**
 * Reads an amount without a sign. "44,50" is 44.50 in every language, because only decimals have two digits. "12.999"
 * is 12,999 in German and ambiguous in English.
 */
const readUnsignedAmount = (text: string, locale: string): ParsedAmount => {
  const marks = [...text.matchAll(/[.,]/g)].map(({ 0: mark, index }) => ({ mark, index }));
  const last = marks.at(-1);
  if (!last) return createCentsAmount(Number(text) * 100);
  const [before, after] = [text.slice(0, last.index), text.slice(last.index + 1)];
  if (marks.length === 1) return readSingleMarkAmount(before, last.mark, after, readNumberMarks(locale));
  const kinds = new Set(marks.map(({ mark }) => mark));
  if (kinds.size === 1)
    return isGrouped(text.split(last.mark)) ? createCentsAmount(Number(text.replace(/[.,]/g, '')) * 100) : unreadAmount;
  const group = last.mark === '.' ? ',' : '.';
  const isWhole = /^\d{1,2}$/.test(after) && isGrouped(before.split(group));
  return isWhole ? createCentsAmount(toHundredths(before.replaceAll(group, ''), after)) : unreadAmount;
};

/** Reads a typed amount in hundredths; a minus sign makes it negative. `none` for an empty text. */
export const parseTypedAmount = (text: string, locale: string): ParsedAmount => {
  if (text.trim() === '') return { kind: 'none' };
  const found = stripAmountText(text);
  if (found === null) return unreadAmount;
  const isMinus = /^[-−–]/.test(found);
  const amount = readUnsignedAmount(found.replace(/^[+\-−–]/, ''), locale);
  if (!isMinus) return amount;
  if (amount.kind === 'cents') return createCentsAmount(-amount.cents);
  return amount.kind === 'either' ? { kind: 'either', cents: [-amount.cents[0], -amount.cents[1]] } : amount;
};
