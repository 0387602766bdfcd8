import { moneyIn } from '../../words/moneyIn.ts';

/**
 * Money in English words, always with its currency: `US$0.35`, `€12.00`. `minor` is in the currency's minor unit.
 * A currency that is not known leaves a plain number, so that nobody reads dollars into it.
 */
export const money = (minor: number, currency: string | null | undefined): string =>
  // British English names foreign dollars apart (US$, CA$, AU$), which American English does not.
  moneyIn('en-GB', minor, currency);
