import { isPlainRecord } from './parseInput.ts';

/** The policy kinds. A site needs one policy of each kind. */
export const policyKinds = ['fulfillment', 'payment', 'return'] as const;
export type PolicyKind = (typeof policyKinds)[number];

/** The field that names the policy of a kind in a publish, a quote, a template or the defaults. */
export const policyFields = {
  fulfillment: 'fulfillmentPolicyId',
  payment: 'paymentPolicyId',
  return: 'returnPolicyId',
} as const satisfies Record<PolicyKind, string>;

/** A policy parsed from an answer. `record` is the whole answer about it. */
export type AnsweredPolicy = {
  policyId: string;
  /** Null if unknown, because the interface does not document policies. */
  kind: PolicyKind | null;
  name: string | null;
  site: string | null;
  record: Record<string, unknown>;
};

const findFirstText = (record: Record<string, unknown>, ...names: string[]): string | null => {
  const found = names.map((name) => record[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
};

/** Parses a policy kind: "fulfillment", "SHIPPING", "paymentPolicies", "returns". */
const parsePolicyKind = (word: string | null): PolicyKind | null => {
  const low = (word ?? '').toLowerCase();
  if (/fulfil|shipping/.test(low)) return 'fulfillment';
  if (low.includes('payment')) return 'payment';
  return low.includes('return') ? 'return' : null;
};

const parsePolicyRecord = (record: Record<string, unknown>, kindWord: string | null): AnsweredPolicy | null => {
  const kind = parsePolicyKind(findFirstText(record, 'kind', 'type', 'policyType') ?? kindWord);
  const namedId = kind === null ? null : findFirstText(record, policyFields[kind]);
  // Any record may have an `id`, so it counts only if the kind is known.
  const policyId = namedId ?? findFirstText(record, 'policyId', ...(kind === null ? [] : ['id']));
  if (policyId === null) return null;
  const [name, site] = [
    findFirstText(record, 'name', 'title', 'label'),
    findFirstText(record, 'marketplaceId', 'site'),
  ];
  return { policyId, kind, name, site, record };
};

/**
 * Finds the policies in an answer of undocumented form: one list with kinds, or one list per kind. It does not search
 * inside a policy, whose content is its author's.
 */
export const findAnsweredPolicies = (answer: unknown, kindWord: string | null = null): AnsweredPolicy[] => {
  if (Array.isArray(answer)) return answer.flatMap((entry) => findAnsweredPolicies(entry, kindWord));
  if (!isPlainRecord(answer)) return [];
  const policy = parsePolicyRecord(answer, kindWord);
  return policy ? [policy] : Object.entries(answer).flatMap(([name, inner]) => findAnsweredPolicies(inner, name));
};
