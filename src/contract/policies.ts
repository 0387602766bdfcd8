import { isPlainRecord } from './parseInput.ts';

/** A site needs one policy of each kind. */
export const policyKinds = ['fulfillment', 'payment', 'return'] as const;
export type PolicyKind = (typeof policyKinds)[number];

/** The field by which a publish, a quote, a template or the defaults name the policy of a kind. */
export const policyFields = {
  fulfillment: 'fulfillmentPolicyId',
  payment: 'paymentPolicyId',
  return: 'returnPolicyId',
} as const satisfies Record<PolicyKind, string>;

/** A policy of the marketplace account, as far as its answer is understood. `record` is all that was answered about it. */
export type AnsweredPolicy = {
  policyId: string;
  /** Null where the answer does not tell: the interface shows no shape for policies. */
  kind: PolicyKind | null;
  name: string | null;
  site: string | null;
  record: Record<string, unknown>;
};

const textIn = (record: Record<string, unknown>, ...names: string[]): string | null => {
  const found = names.map((name) => record[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
};

/** The kind that a word names: "fulfillment", "SHIPPING", "paymentPolicies", "returns". */
const kindOf = (word: string | null): PolicyKind | null => {
  const low = (word ?? '').toLowerCase();
  if (/fulfil|shipping/.test(low)) return 'fulfillment';
  if (low.includes('payment')) return 'payment';
  return low.includes('return') ? 'return' : null;
};

const policyOf = (record: Record<string, unknown>, word: string | null): AnsweredPolicy | null => {
  const kind = kindOf(textIn(record, 'kind', 'type', 'policyType') ?? word);
  const named = kind === null ? null : textIn(record, policyFields[kind]);
  // Any record may have an `id`: that of a policy is known by its kind.
  const policyId = named ?? textIn(record, 'policyId', ...(kind === null ? [] : ['id']));
  if (policyId === null) return null;
  const [name, site] = [textIn(record, 'name', 'title', 'label'), textIn(record, 'marketplaceId', 'site')];
  return { policyId, kind, name, site, record };
};

/**
 * The policies in an answer whose shape the interface leaves open: one list with kinds, or a list for each kind. What is
 * inside a policy was written by its author and is no policy of its own.
 */
export const policiesIn = (answer: unknown, word: string | null = null): AnsweredPolicy[] => {
  if (Array.isArray(answer)) return answer.flatMap((one) => policiesIn(one, word));
  if (!isPlainRecord(answer)) return [];
  const policy = policyOf(answer, word);
  return policy ? [policy] : Object.entries(answer).flatMap(([name, inner]) => policiesIn(inner, name));
};
