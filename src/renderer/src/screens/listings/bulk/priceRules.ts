import { parseCentsInput } from '../../../components/text/format.ts';

export const priceMethods = ['percent', 'amount', 'set', 'ending', 'suggested', 'median'] as const;
export type PriceMethod = (typeof priceMethods)[number];
/** The hundredths at the end of a price. An empty text keeps the calculated price. */
export const priceEndings = ['', '99', '95', '50', '00'] as const;
export type PriceEnding = (typeof priceEndings)[number];
/** `by` is in hundredths of a percent or of the currency; 0 if the rule has no input. */
export type PriceRule = { how: PriceMethod; by: number; ending: PriceEnding };

/** Amounts are in hundredths. `median` is undefined until it is looked up. */
export type PriceFacts = {
  price: number | null;
  suggested: number | null;
  median: number | null | undefined;
  autoAccept: number | null;
  /** 100 if the currency has no minor unit, else 1. */
  unit: 1 | 100;
};
export type NoPriceReason = 'noPrice' | 'tooLow' | 'noSuggestion' | 'notLookedUp' | 'noMedian' | 'belowOffer';

export const hasTypedInput = (how: PriceMethod): how is 'percent' | 'amount' | 'set' =>
  ['percent', 'amount', 'set'].includes(how);

/** Returns null if the input is ambiguous or is not a valid price. */
export const parsePriceRule = (how: PriceMethod, typed: string, ending: PriceEnding): PriceRule | null => {
  if (!hasTypedInput(how)) return { how, by: 0, ending };
  const by = parseCentsInput(typed);
  return by === null || (how === 'set' && by < 1) ? null : { how, by, ending };
};

/** Uses integers to avoid floating-point errors. Halves round up. */
const divideAndRound = (value: number, by: number): number => Math.floor((2 * value + by) / (2 * by));

const calculatePrice = ({ how, by }: PriceRule, { price, suggested, median }: PriceFacts): number | NoPriceReason => {
  if (how === 'set') return by;
  if (how === 'suggested') return suggested ?? 'noSuggestion';
  if (how === 'median') return median === undefined ? 'notLookedUp' : (median ?? 'noMedian');
  if (price === null) return 'noPrice';
  if (how === 'percent') return divideAndRound(price * (10_000 + by), 10_000);
  return how === 'amount' ? price + by : price;
};

/** Returns the nearest price with this ending; the higher price if two are equally near. */
const applyPriceEnding = (cents: number, ending: PriceEnding): number => {
  if (ending === '' || cents < 1) return cents;
  const below = Math.floor((cents - Number(ending)) / 100) * 100 + Number(ending);
  return below >= 1 && cents - below < 50 ? below : below + 100;
};

/** A cut never raises the price, and a raise never lowers the price. */
const applyEndingWithoutReversal = ({ how, by, ending }: PriceRule, cents: number, old: number | null): number => {
  const ended = applyPriceEnding(cents, ending);
  if (old === null || (how !== 'percent' && how !== 'amount')) return ended;
  if (by < 0 && ended > old) return ended - 100;
  return by > 0 && ended < old ? ended + 100 : ended;
};

/** Returns the new price in hundredths, or why the rule gives no price. */
export const applyPriceRule = (rule: PriceRule, facts: PriceFacts): number | NoPriceReason => {
  const found = calculatePrice(rule, facts);
  if (typeof found !== 'number') return found;
  const whole = divideAndRound(found, facts.unit) * facts.unit;
  const cents = facts.unit === 1 && rule.how !== 'set' ? applyEndingWithoutReversal(rule, whole, facts.price) : whole;
  if (cents < 1) return 'tooLow';
  // The price must not be below the amount from which offers are accepted automatically.
  return facts.autoAccept !== null && cents < facts.autoAccept ? 'belowOffer' : cents;
};
