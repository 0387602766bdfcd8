import { findFirstText, isPlainRecord } from './untrusted.ts';

export const policyKinds = ['fulfillment', 'payment', 'return'] as const;
export type PolicyKind = (typeof policyKinds)[number];

export const policyFields = {
  fulfillment: 'fulfillmentPolicyId',
  payment: 'paymentPolicyId',
  return: 'returnPolicyId',
} as const satisfies Record<PolicyKind, string>;

export type AnsweredPolicy = {
  policyId: string;
  kind: PolicyKind | null;
  name: string | null;
  site: string | null;
  record: Record<string, unknown>;
};

const parsePolicyKind = (word: string | null): PolicyKind | null => {
  const low = (word ?? '').toLowerCase();
  if (/fulfil|shipping/.test(low)) return 'fulfillment';
  if (low.includes('payment')) return 'payment';
  return low.includes('return') ? 'return' : null;
};

const parsePolicyRecord = (record: Record<string, unknown>, kindWord: string | null): AnsweredPolicy | null => {
  const kind = parsePolicyKind(findFirstText(record, 'kind', 'type', 'policyType') ?? kindWord);
  const namedId = kind === null ? null : findFirstText(record, policyFields[kind]);
  // Any record can have an `id`, so use the `id` only if the kind of the policy is known.
  const policyId = namedId ?? findFirstText(record, 'policyId', ...(kind === null ? [] : ['id']));
  if (policyId === null) return null;
  const [name, site] = [
    findFirstText(record, 'name', 'title', 'label'),
    findFirstText(record, 'marketplaceId', 'site'),
  ];
  return { policyId, kind, name, site, record };
};

/**
 * Returns the policies in an answer of undocumented form: one list of all policies, or one list per kind. The fields of
 * a policy are not searched, because the person's marketplace account defines them.
 */
export const listAnsweredPolicies = (answer: unknown, kindWord: string | null = null): AnsweredPolicy[] => {
  if (Array.isArray(answer)) return answer.flatMap((entry) => listAnsweredPolicies(entry, kindWord));
  if (!isPlainRecord(answer)) return [];
  const policy = parsePolicyRecord(answer, kindWord);
  return policy ? [policy] : Object.entries(answer).flatMap(([name, inner]) => listAnsweredPolicies(inner, name));
};
