/** A parsed amount of money. `either` is ambiguous: only the person knows which amount is meant. */
export type Amount =
  { kind: 'cents'; cents: number } | { kind: 'either'; cents: readonly [number, number] } | { kind: 'none' | 'unread' };

/** The separators of a language's numbers: thousands and decimals. */
type Marks = { group: string; decimal: string };

const marksOf = (locale: string): Marks => {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(1_234_567.8);
  const of = (wanted: string): string => parts.find(({ type }) => type === wanted)?.value ?? '';
  return { group: of('group'), decimal: of('decimal') };
};

/** Formats an amount without a currency: "1,234.50", "1.234,50". `cents` is in hundredths. */
export const writeAmount = (cents: number, locale: string): string =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cents / 100);

const spaces = /[\s\u00a0\u202f]/g;
/** Thousands separated by spaces or apostrophes. No language uses these as a decimal separator. */
const spaced = /^(\d{1,3})((?:[ ’']\d{3})+)(?![\d])/;

/** Removes the currency and the spaces between thousands; null if spaces occur anywhere else. */
const bare = (text: string): string | null => {
  const trimmed = text.replace(spaces, ' ').replace(/^[^\d.,+\-−–]+|[^\d.,\-−–]+$/g, '');
  const closed = trimmed.replace(spaced, (all) => all.replace(/[ ’']/g, ''));
  return /^[+\-−–]?[\d.,]+$/.test(closed) ? closed : null;
};

const hundredths = (whole: string, decimals: string): number => Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
const isGrouped = (groups: readonly string[]): boolean =>
  /^[1-9]\d{0,2}$/.test(groups[0] ?? '') && groups.slice(1).every((group) => /^\d{3}$/.test(group));
const unread: Amount = { kind: 'unread' };
const cents = (value: number): Amount => ({ kind: 'cents', cents: value });

/**
 * Reads a number with one separator: decimals, or thousands if the language writes them so. Otherwise it is ambiguous.
 */
const withOneMark = (before: string, mark: string, after: string, { group }: Marks): Amount => {
  if (!/^\d+$/.test(before)) return unread;
  if (/^\d{1,2}$/.test(after)) return cents(hundredths(before, after));
  if (!isGrouped([before, after])) return unread;
  const thousands = Number(before + after) * 100;
  if (mark === group) return cents(thousands);
  return { kind: 'either', cents: [thousands, Math.round(Number(`${before}.${after}`) * 100)] };
};

/**
 * Reads an amount without a sign. "44,50" is 44.50 in every language, because only decimals have two digits. "12.999"
 * is 12,999 in German and ambiguous in English.
 */
const readUnsigned = (text: string, locale: string): Amount => {
  const marks = [...text.matchAll(/[.,]/g)].map(({ 0: mark, index }) => ({ mark, index }));
  const last = marks.at(-1);
  if (!last) return cents(Number(text) * 100);
  const [before, after] = [text.slice(0, last.index), text.slice(last.index + 1)];
  if (marks.length === 1) return withOneMark(before, last.mark, after, marksOf(locale));
  const kinds = new Set(marks.map(({ mark }) => mark));
  if (kinds.size === 1)
    return isGrouped(text.split(last.mark)) ? cents(Number(text.replace(/[.,]/g, '')) * 100) : unread;
  const group = last.mark === '.' ? ',' : '.';
  const isWhole = /^\d{1,2}$/.test(after) && isGrouped(before.split(group));
  return isWhole ? cents(hundredths(before.replaceAll(group, ''), after)) : unread;
};

/** Reads a typed amount in hundredths; a minus sign makes it negative. `none` for an empty text. */
export const readAmount = (text: string, locale: string): Amount => {
  if (text.trim() === '') return { kind: 'none' };
  const found = bare(text);
  if (found === null) return unread;
  const isMinus = /^[-−–]/.test(found);
  const amount = readUnsigned(found.replace(/^[+\-−–]/, ''), locale);
  if (!isMinus) return amount;
  if (amount.kind === 'cents') return cents(-amount.cents);
  return amount.kind === 'either' ? { kind: 'either', cents: [-amount.cents[0], -amount.cents[1]] } : amount;
};
