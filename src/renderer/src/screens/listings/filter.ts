import type { CallInput } from '../../../../ipc/calls.ts';
import { textToCents } from '../../parts/money.ts';

type Search = CallInput<'listings.search'>;
export type Sort = NonNullable<Search['sort']>;
/** A search without its order and its page. */
export type Asked = Omit<Search, 'sort' | 'offset' | 'limit'>;
type Status = NonNullable<Search['statuses']>[number];

export const ages = ['week', 'month', 'quarter', 'older'] as const;
export type Age = (typeof ages)[number];

/** What the person asks for, as it stands in the fields; '' is no wish. */
export type Filter = { q: string; status: Status | ''; site: string; age: Age | ''; min: string; max: string };

export const noFilter: Filter = { q: '', status: '', site: '', age: '', min: '', max: '' };

/** Whether the person asks for less than everything. */
export const isFiltered = (filter: Filter): boolean => Object.values(filter).some((value) => value.trim() !== '');

const dayMs = 86_400_000;
const daysOf: Readonly<Record<Exclude<Age, 'older'>, number>> = { week: 7, month: 30, quarter: 91 };

/** Whole days, so that the same question has the same answer for a while. */
const ageOf = (age: Age | '', now: number): Pick<Search, 'from' | 'to'> => {
  const midnight = Math.floor(now / dayMs) * dayMs;
  if (age === '') return {};
  return age === 'older' ? { to: midnight - daysOf.quarter * dayMs } : { from: midnight - daysOf[age] * dayMs };
};

/** The question to the core. A price that is no amount is no wish. */
export const askedOf = (filter: Filter, now: number): Asked => ({
  q: filter.q.trim(),
  statuses: filter.status === '' ? [] : [filter.status],
  site: filter.site === '' ? null : filter.site,
  ...ageOf(filter.age, now),
  minCents: textToCents(filter.min),
  maxCents: textToCents(filter.max),
});
