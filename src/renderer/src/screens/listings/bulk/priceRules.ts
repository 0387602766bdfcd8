import { textToCents } from '../../../components/text/format.ts';

/** The ways to set a price: from the current price, from an input, or from the service's data. */
export const hows = ['percent', 'amount', 'set', 'ending', 'suggested', 'median'] as const;
export type How = (typeof hows)[number];
/** The hundredths that a price ends in; '' keeps the calculated price. */
export const endings = ['', '99', '95', '50', '00'] as const;
export type Ending = (typeof endings)[number];
/** `by` is in hundredths of a percent or of the currency; 0 if the rule has no input. */
export type PriceRule = { how: How; by: number; ending: Ending };

/** The data of one listing for a rule; amounts in hundredths. `median` is undefined until it is looked up. */
export type PriceFacts = {
  price: number | null;
  suggested: number | null;
  median: number | null | undefined;
  /** Offers from this price on are accepted automatically. */
  autoAccept: number | null;
  /** 1, or 100 for a currency without a minor unit. */
  unit: 1 | 100;
};
/** Why a rule gives no price for a listing. */
export type NoPrice = 'noPrice' | 'tooLow' | 'noSuggestion' | 'notLookedUp' | 'noMedian' | 'belowOffer';

/** Returns whether the rule has an input. */
export const isTyped = (how: How): how is 'percent' | 'amount' | 'set' => ['percent', 'amount', 'set'].includes(how);

/** Returns the rule; null if the input is not a number, is ambiguous or is not a valid price. */
export const ruleOf = (how: How, typed: string, ending: Ending): PriceRule | null => {
  if (!isTyped(how)) return { how, by: 0, ending };
  const by = textToCents(typed);
  return by === null || (how === 'set' && by < 1) ? null : { how, by, ending };
};

/** Integer arithmetic, halves round up, so there are no floating-point errors. */
const divideRounded = (value: number, by: number): number => Math.floor((2 * value + by) / (2 * by));

const calculated = ({ how, by }: PriceRule, { price, suggested, median }: PriceFacts): number | NoPrice => {
  if (how === 'set') return by;
  if (how === 'suggested') return suggested ?? 'noSuggestion';
  if (how === 'median') return median === undefined ? 'notLookedUp' : (median ?? 'noMedian');
  if (price === null) return 'noPrice';
  if (how === 'percent') return divideRounded(price * (10_000 + by), 10_000);
  return how === 'amount' ? price + by : price;
};

/** Returns the nearest price with that ending, the higher one on a tie; at least one hundredth. */
const withEnding = (cents: number, ending: Ending): number => {
  if (ending === '' || cents < 1) return cents;
  const below = Math.floor((cents - Number(ending)) / 100) * 100 + Number(ending);
  return below >= 1 && cents - below < 50 ? below : below + 100;
};

/** Applies the ending without crossing the old price: a cut never raises a price, and a raise never lowers it. */
const endedTowards = ({ how, by, ending }: PriceRule, cents: number, old: number | null): number => {
  const ended = withEnding(cents, ending);
  if (old === null || (how !== 'percent' && how !== 'amount')) return ended;
  if (by < 0 && ended > old) return ended - 100;
  return by > 0 && ended < old ? ended + 100 : ended;
};

/** Returns the new price in hundredths (at least 1), or why the rule gives none for this listing. */
export const priceBy = (rule: PriceRule, facts: PriceFacts): number | NoPrice => {
  const found = calculated(rule, facts);
  if (typeof found !== 'number') return found;
  const whole = divideRounded(found, facts.unit) * facts.unit;
  const cents = facts.unit === 1 && rule.how !== 'set' ? endedTowards(rule, whole, facts.price) : whole;
  if (cents < 1) return 'tooLow';
  // Every offer at the new price would be accepted automatically.
  return facts.autoAccept !== null && cents < facts.autoAccept ? 'belowOffer' : cents;
};
