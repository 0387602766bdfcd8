import { formatCents } from '../../components/text/format.ts';
import { isUnknownRecord, numberOf, recordsIn, textOf, type UnknownRecord } from '../../api/unknownRecord.ts';

/** A plan as the service has it now; what it does not say is null. */
export type Plan = {
  code: string;
  name: string;
  priceCents: number | null;
  currency: string | null;
  listings: number | null;
  photos: number | null;
  extraCents: number | null;
  trialDays: number | null;
};

const planOf = (record: UnknownRecord): Plan[] => {
  const code = textOf(record, 'code', 'tier', 'planId');
  if (code === null) return [];
  return [
    {
      code,
      name: textOf(record, 'name') ?? code,
      priceCents: numberOf(record, 'priceCents', 'priceMinor'),
      currency: textOf(record, 'currency'),
      listings: numberOf(record, 'listingsPerMonth', 'listings'),
      photos: numberOf(record, 'photosPerListing', 'photos'),
      extraCents: numberOf(record, 'extraRateCents'),
      trialDays: numberOf(record, 'trialDays'),
    },
  ];
};

/** The plans of GET /agent/plans, in the service's order. */
export const plansIn = (answer: unknown): Plan[] => recordsIn(answer, 'plans').flatMap(planOf);

/** What the catalogue adds: whether this person may try a plan, and the packs of credits in words. */
export type Products = { mayTry: boolean; packs: string[] };

export const productsIn = (answer: unknown): Products => {
  const of = isUnknownRecord(answer) ? answer : {};
  const packs = Array.isArray(of['credits']) ? of['credits'].filter(isUnknownRecord) : [];
  return {
    mayTry: of['trialEligible'] === true,
    packs: packs.flatMap((pack) => {
      const [name, cents] = [textOf(pack, 'name'), numberOf(pack, 'priceCents')];
      return name === null || cents === null
        ? []
        : [`${name} ${formatCents(cents, textOf(pack, 'currency') ?? 'USD')}`];
    }),
  };
};

/** An invoice: when (ms since 1970), for what, and how much in hundredths of its currency. */
export type Invoice = { at: number | null; text: string; cents: number | null; currency: string | null };

const timeOf = (record: UnknownRecord, ...names: string[]): number | null => {
  const at = Date.parse(textOf(record, ...names) ?? '');
  return Number.isNaN(at) ? null : at;
};

export const invoicesIn = (answer: unknown): Invoice[] =>
  recordsIn(answer, 'invoices').map((record) => ({
    at: timeOf(record, 'at', 'createdAt', 'date'),
    text: textOf(record, 'text', 'description', 'title') ?? '',
    cents: numberOf(record, 'amountCents', 'totalCents'),
    currency: textOf(record, 'currency'),
  }));

/** Whether a code is valid, and what it takes off in percent. */
export type PromoCode = { valid: boolean; percentOff: number | null };

/** What is said of a code; null when the answer does not say whether it is valid. */
export const promoIn = (answer: unknown): PromoCode | null =>
  isUnknownRecord(answer) && typeof answer['valid'] === 'boolean'
    ? { valid: answer['valid'], percentOff: numberOf(answer, 'percentOff') }
    : null;

export const referralIn = (answer: unknown): { link: string | null; joined: number | null } =>
  isUnknownRecord(answer)
    ? { link: textOf(answer, 'link', 'url'), joined: numberOf(answer, 'joined', 'joinCount', 'count') }
    : { link: null, joined: null };

/** An assistant that is connected at the service; its key is in no answer. */
export type Key = { keyId: string; name: string | null; how: string | null; usedAt: number | null; current: boolean };

export const keysIn = (answer: unknown): Key[] =>
  recordsIn(answer, 'keys').map((record, at) => ({
    keyId: textOf(record, 'keyId', 'id') ?? String(at),
    name: textOf(record, 'label', 'name', 'agentLabel'),
    how: textOf(record, 'connectedBy', 'madeBy', 'source'),
    usedAt: timeOf(record, 'lastUsedAt'),
    current: record['current'] === true,
  }));

/** The person as the service has them; null is what it does not say. */
export type User = { name: string; language: string | null; autoDelist: boolean | null };

export const userIn = (answer: unknown): User => {
  const of = isUnknownRecord(answer) ? answer : {};
  const autoDelist = of['autoDelistDefault'];
  return {
    name: textOf(of, 'name') ?? '',
    language: textOf(of, 'language'),
    autoDelist: typeof autoDelist === 'boolean' ? autoDelist : null,
  };
};

/** The switches of an answer; what is no switch is left as it is. */
export const switchesIn = (answer: unknown): [name: string, on: boolean][] =>
  isUnknownRecord(answer)
    ? Object.entries(answer).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')
    : [];
