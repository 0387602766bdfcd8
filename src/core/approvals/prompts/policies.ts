import { currencyOf } from '../../../contract/index.ts';
import { core, formatEnglish } from '../../../i18n/english.ts';
import { message, type Message } from '../../../i18n/message.ts';
import type { Fact } from '../../storage/tables/approvalRecord.ts';
import { leavesOf } from '../subject.ts';
import { quotedWhole } from './channels.ts';
import { ownLabel, valueText } from './values.ts';

/** A policy of the marketplace account; the interface shows no more of its shape. */
export type Policy = Record<string, unknown>;

const kinds = {
  fulfillment: 'fulfillmentPolicyId',
  payment: 'paymentPolicyId',
  return: 'returnPolicyId',
} as const;
type Kind = keyof typeof kinds;

const isKind = (kind: unknown): kind is Kind => typeof kind === 'string' && Object.hasOwn(kinds, kind);

const labelOf = (kind: unknown): Pick<Fact, 'label' | 'labelSays'> =>
  isKind(kind)
    ? { label: core.labels[kinds[kind]], labelSays: message(`labels.${kinds[kind]}`) }
    : { label: typeof kind === 'string' ? kind : 'policy' };

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const shippingTerm = (name: string, value: unknown, currency: string | null): Message | null => {
  if (name === 'postage' && value === 'flat') return message('values.postageFlat');
  if (name === 'postage' && value === 'calculated') return message('values.postageCalculated');
  if (!isAmount(value)) return null;
  if (name === 'maxWeightGrams') return message('values.weightUpTo', { grams: value });
  // An amount without its currency is none.
  return name === 'flatMinor' && currency !== null
    ? message('values.postageOf', { amount: { minor: value, currency } })
    : null;
};

const returnTerm = (name: string, value: unknown): Message | null => {
  if (name === 'days' && isAmount(value)) return message('values.returnDays', { count: value });
  if (name === 'accepted' && typeof value === 'boolean')
    return message(value ? 'values.returnsTaken' : 'values.returnsNotTaken');
  return null;
};

/** A term of a policy in words of ours; null for one that nobody knows. */
const knownTerm = ({ kind, marketplaceId }: Policy, name: string, value: unknown): Message | null => {
  if (name === 'marketplaceId') return typeof value === 'string' ? (valueText(name, value, null).says ?? null) : null;
  const site = typeof marketplaceId === 'string' ? marketplaceId : null;
  if (kind === 'fulfillment') return shippingTerm(name, value, currencyOf({ marketplaceId: site }));
  return kind === 'return' ? returnTerm(name, value) : null;
};

/** What a policy says: its name in marks, the terms that are known in words, and all others as they came, in marks too. */
const partsOf = (policy: Policy): Message[] => {
  const { policyId: _id, kind: _kind, name, ...terms } = policy;
  const all = Object.keys(terms).length === 0 ? [] : leavesOf(terms);
  const rest = all.map(({ path, value }) => {
    const term = path.join('.');
    // A term that nobody knows may be called like any field of a listing.
    return knownTerm(policy, term, value) ?? quotedWhole(`${term}: ${valueText('', value, null).text}`);
  });
  return typeof name === 'string' && name !== '' ? [quotedWhole(name), ...rest] : rest;
};

const joined = ([first, ...more]: readonly Message[]): Message | undefined =>
  first && more.reduce((before, next) => message('values.listed', { before, next }), first);

/** Policies that nobody could read apply all the same: that is said, as nothing would look like there being none. */
const unread = (): Fact => {
  const says = message('values.policiesUnread');
  return { namespace: 'policies', key: 'unread', ...ownLabel('policies'), value: formatEnglish(says), says };
};

const ofPolicy = (policy: Policy, at: number): Fact => {
  const says = joined(partsOf(policy));
  return {
    namespace: 'policies',
    key: `${at}`,
    ...labelOf(policy['kind']),
    ...(says ? { value: formatEnglish(says), says } : { value: '' }),
  };
};

/** Where the id of a policy stands; it tells a buyer nothing. */
export const isPolicyId = ({ namespace, key }: Pick<Fact, 'namespace' | 'key'>): boolean =>
  namespace === 'policies' && key.endsWith(' policyId');

const idOf = ({ policyId, kind }: Policy, at: number): Fact => ({
  namespace: 'policies',
  key: `${at} policyId`,
  label: typeof kind === 'string' ? `${kind}.policyId` : 'policyId',
  value: String(policyId),
});

/** A fact a policy, and after them their ids. Where they could not be read, that is the fact. */
export const policyFacts = (policies: unknown): Fact[] =>
  Array.isArray(policies) ? [...policies.map(ofPolicy), ...policies.map(idOf)] : [unread()];
