import { isUnknownRecord, textOf, type UnknownRecord } from '../../../api/unknownRecord.ts';

export const policyKinds = ['fulfillment', 'payment', 'return'] as const;
export type PolicyKind = (typeof policyKinds)[number];
/** `more` is all that was answered about it. */
export type Policy = { policyId: string; name: string; site: string | null; more: UnknownRecord };
export type Policies = Record<PolicyKind, Policy[]>;

/** The kind that a word speaks of: "fulfillment", "SHIPPING", "paymentPolicies", "returns". */
const kindOf = (word: string | null): PolicyKind | null => {
  const low = (word ?? '').toLowerCase();
  if (/fulfil|shipping/.test(low)) return 'fulfillment';
  if (low.includes('payment')) return 'payment';
  return low.includes('return') ? 'return' : null;
};

const take = (into: Policies, value: unknown, word: string | null): void => {
  if (!isUnknownRecord(value)) return;
  const kind = kindOf(textOf(value, 'kind', 'type', 'policyType') ?? word);
  const named = kind === null ? null : textOf(value, `${kind}PolicyId`);
  const policyId = named ?? textOf(value, 'policyId', 'id');
  if (kind !== null && policyId !== null)
    into[kind].push({
      policyId,
      name: textOf(value, 'name', 'title', 'label') ?? policyId,
      site: textOf(value, 'marketplaceId', 'site'),
      more: value,
    });
};

/** The policies in an answer whose shape the interface leaves open: one list with kinds, or a list for each kind. */
export const policiesIn = (answer: unknown): Policies => {
  const found: Policies = { fulfillment: [], payment: [], return: [] };
  const look = (value: unknown, word: string | null): void => {
    if (Array.isArray(value)) for (const one of value) take(found, one, word);
    else if (isUnknownRecord(value)) for (const [name, inner] of Object.entries(value)) look(inner, name);
  };
  look(answer, null);
  return found;
};

/** The policies that a publish names, as its body has them. */
export const policyBody = (chosen: Partial<Record<PolicyKind, string>>): Record<string, string> =>
  Object.fromEntries(policyKinds.flatMap((kind) => (chosen[kind] ? [[`${kind}PolicyId`, chosen[kind]]] : [])));
