import { textToCents } from '../../../components/text/format.ts';

/** How a price is found: from the present one, from what was typed, or from what the service knows. */
export const hows = ['percent', 'amount', 'set', 'ending', 'suggested', 'median'] as const;
export type How = (typeof hows)[number];
/** The hundredths that a price ends in; '' leaves it as it was calculated. */
export const endings = ['', '99', '95', '50', '00'] as const;
export type Ending = (typeof endings)[number];
/** `by` is in hundredths: of a percent, or of the currency. It is 0 where nothing is typed. */
export type PriceRule = { how: How; by: number; ending: Ending };

/** What a rule knows of one listing: amounts in hundredths. `median` is undefined until it was looked up. */
export type PriceFacts = {
  price: number | null;
  suggested: number | null;
  median: number | null | undefined;
  /** From this price on an offer is accepted by itself. */
  autoAccept: number | null;
  /** 1, or 100 for a currency without hundredths. */
  unit: 1 | 100;
};
/** Why a rule says nothing about a listing. */
export type NoPrice = 'noPrice' | 'tooLow' | 'noSuggestion' | 'notLookedUp' | 'noMedian' | 'belowOffer';

/** Whether something is typed for this rule. */
export const isTyped = (how: How): how is 'percent' | 'amount' | 'set' => ['percent', 'amount', 'set'].includes(how);

/** What was chosen and typed as a rule; null when that is no number, could be two, or is no price. */
export const ruleOf = (how: How, typed: string, ending: Ending): PriceRule | null => {
  if (!isTyped(how)) return { how, by: 0, ending };
  const by = textToCents(typed);
  return by === null || (how === 'set' && by < 1) ? null : { how, by, ending };
};

/** Whole numbers only: halves go up, and nothing is ever off by a rounding of fractions. */
const divideRounded = (value: number, by: number): number => Math.floor((2 * value + by) / (2 * by));

const calculated = ({ how, by }: PriceRule, { price, suggested, median }: PriceFacts): number | NoPrice => {
  if (how === 'set') return by;
  if (how === 'suggested') return suggested ?? 'noSuggestion';
  if (how === 'median') return median === undefined ? 'notLookedUp' : (median ?? 'noMedian');
  if (price === null) return 'noPrice';
  if (how === 'percent') return divideRounded(price * (10_000 + by), 10_000);
  return how === 'amount' ? price + by : price;
};

/** The nearest price with that ending, the higher one of two that are as near; never one of less than a hundredth. */
const withEnding = (cents: number, ending: Ending): number => {
  if (ending === '' || cents < 1) return cents;
  const below = Math.floor((cents - Number(ending)) / 100) * 100 + Number(ending);
  return below >= 1 && cents - below < 50 ? below : below + 100;
};

/** With its ending, but never past the old price the other way: what lowers does not raise, nor the other way round. */
const endedTowards = ({ how, by, ending }: PriceRule, cents: number, old: number | null): number => {
  const ended = withEnding(cents, ending);
  if (old === null || (how !== 'percent' && how !== 'amount')) return ended;
  if (by < 0 && ended > old) return ended - 100;
  return by > 0 && ended < old ? ended + 100 : ended;
};

/** What the price becomes, in hundredths, or why the rule says nothing about this listing. The least price is 0.01. */
export const priceBy = (rule: PriceRule, facts: PriceFacts): number | NoPrice => {
  const found = calculated(rule, facts);
  if (typeof found !== 'number') return found;
  const whole = divideRounded(found, facts.unit) * facts.unit;
  const cents = facts.unit === 1 && rule.how !== 'set' ? endedTowards(rule, whole, facts.price) : whole;
  if (cents < 1) return 'tooLow';
  // Every offer would be accepted, at a price that nobody asks for any more.
  return facts.autoAccept !== null && cents < facts.autoAccept ? 'belowOffer' : cents;
};
