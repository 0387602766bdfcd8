/** `either` means that the text is ambiguous, so the person must choose one of two amounts. */
export type ParsedAmount =
  { kind: 'cents'; cents: number } | { kind: 'either'; cents: readonly [number, number] } | { kind: 'none' | 'unread' };

type NumberMarks = { group: string; decimal: string };

const getNumberMarks = (locale: string): NumberMarks => {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(1_234_567.8);
  const getPartValue = (partType: string): string => parts.find(({ type }) => type === partType)?.value ?? '';
  return { group: getPartValue('group'), decimal: getPartValue('decimal') };
};

/** Formats an amount without a currency, for example "1,234.50". `cents` is in hundredths. */
export const formatPlainAmount = (cents: number, locale: string): string =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cents / 100);

const spaces = /[\s\u00a0\u202f]/g;
/** A space or an apostrophe always separates thousands, because no language uses it as the decimal separator. */
const spacedThousands = /^(\d{1,3})((?:[ ’']\d{3})+)(?![\d])/;

/** Returns null if the text contains spaces that do not separate thousands. */
const stripAmountText = (text: string): string | null => {
  const trimmed = text.replace(spaces, ' ').replace(/^[^\d.,+\-−–]+|[^\d.,\-−–]+$/g, '');
  const closed = trimmed.replace(spacedThousands, (spacedText) => spacedText.replace(/[ ’']/g, ''));
  return /^[+\-−–]?[\d.,]+$/.test(closed) ? closed : null;
};

const toHundredths = (integerPart: string, decimals: string): number =>
  Number(integerPart) * 100 + Number(decimals.padEnd(2, '0'));
const areThousandsGroups = (groups: readonly string[]): boolean =>
  /^[1-9]\d{0,2}$/.test(groups[0] ?? '') && groups.slice(1).every((group) => /^\d{3}$/.test(group));
const unreadAmount: ParsedAmount = { kind: 'unread' };
const createCentsAmount = (value: number): ParsedAmount => ({ kind: 'cents', cents: value });

/** A separator before three digits is ambiguous, unless the language separates thousands with it. */
const parseSingleMarkAmount = (before: string, mark: string, after: string, { group }: NumberMarks): ParsedAmount => {
  if (!/^\d+$/.test(before)) return unreadAmount;
  if (/^\d{1,2}$/.test(after)) return createCentsAmount(toHundredths(before, after));
  if (!areThousandsGroups([before, after])) return unreadAmount;
  const thousands = Number(before + after) * 100;
  if (mark === group) return createCentsAmount(thousands);
  return { kind: 'either', cents: [thousands, Math.round(Number(`${before}.${after}`) * 100)] };
};

/** "44,50" means 44.50 in every language. "12.999" means 12,999 in German and is ambiguous in English. */
const parseUnsignedAmount = (text: string, locale: string): ParsedAmount => {
  const marks = [...text.matchAll(/[.,]/g)].map(({ 0: mark, index }) => ({ mark, index }));
  const last = marks.at(-1);
  if (!last) return createCentsAmount(Number(text) * 100);
  const [before, after] = [text.slice(0, last.index), text.slice(last.index + 1)];
  if (marks.length === 1) return parseSingleMarkAmount(before, last.mark, after, getNumberMarks(locale));
  const kinds = new Set(marks.map(({ mark }) => mark));
  if (kinds.size === 1)
    return areThousandsGroups(text.split(last.mark))
      ? createCentsAmount(Number(text.replace(/[.,]/g, '')) * 100)
      : unreadAmount;
  const group = last.mark === '.' ? ',' : '.';
  const isWhole = /^\d{1,2}$/.test(after) && areThousandsGroups(before.split(group));
  return isWhole ? createCentsAmount(toHundredths(before.replaceAll(group, ''), after)) : unreadAmount;
};

/** Returns `cents` in hundredths. A minus sign makes the amount negative, and an empty text results in `none`. */
export const parseTypedAmount = (text: string, locale: string): ParsedAmount => {
  if (text.trim() === '') return { kind: 'none' };
  const found = stripAmountText(text);
  if (found === null) return unreadAmount;
  const isMinus = /^[-−–]/.test(found);
  const amount = parseUnsignedAmount(found.replace(/^[+\-−–]/, ''), locale);
  if (!isMinus) return amount;
  if (amount.kind === 'cents') return createCentsAmount(-amount.cents);
  return amount.kind === 'either' ? { kind: 'either', cents: [-amount.cents[0], -amount.cents[1]] } : amount;
};
