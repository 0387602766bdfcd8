import type { Fact } from '../../storage/tables/approvalRecord.ts';
import { formatEnglish } from '../../../i18n/english.ts';
import { message } from '../../../i18n/message.ts';
import { leavesOf } from '../subject.ts';
import { ownLabel, worded } from './values.ts';

type Policy = Record<string, unknown>;

const isPolicy = (value: object): value is Policy & { policyId: string } =>
  'policyId' in value && typeof value.policyId === 'string';

/** The policies anywhere in an open answer; the interface shows no shape for the list. */
const allIn = (value: unknown): (Policy & { policyId: string })[] => {
  if (value === null || typeof value !== 'object') return [];
  return isPolicy(value) ? [value] : Object.values(value).flatMap(allIn);
};

const idFields = ['fulfillmentPolicyId', 'paymentPolicyId', 'returnPolicyId'] as const;

type Named = Readonly<Record<string, unknown>>;

/**
 * The policies that a publish may take: those that it names, or its template where it is silent, and of the site any
 * other where neither names one. Null where they could not be read.
 */
export const policiesIn = (
  answer: unknown,
  site: string | null,
  body: Named,
  template: Named | null,
): Policy[] | null => {
  if (answer === null) return null;
  const named = idFields.map((field) => body[field] ?? template?.[field]).filter((id) => typeof id === 'string');
  const all = allIn(answer);
  const isSilent = named.length < idFields.length;
  return all.filter(
    (policy) => named.includes(policy.policyId) || (isSilent && (policy['marketplaceId'] ?? site) === site),
  );
};

/** Policies that nobody could read apply all the same: that is said, as nothing would look like there being none. */
const unread = (): Fact => {
  const says = message('values.policiesUnread');
  return { namespace: 'policies', key: 'unread', ...ownLabel('policies'), value: formatEnglish(says), says };
};

/** A fact a policy: names and terms are as others gave them. Where they could not be read, that is the fact. */
export const policyFacts = (policies: unknown): Fact[] => {
  if (!Array.isArray(policies)) return [unread()];
  return policies.map((policy: Policy, at) => {
    const { policyId, kind, name, ...terms } = policy;
    const rest = leavesOf(terms).map(({ path, value }) => `${path.join('.')}: ${worded('', value, null).text}`);
    return {
      namespace: 'policies',
      key: `${at}`,
      label: typeof kind === 'string' ? kind : 'policy',
      value: [typeof name === 'string' ? name : '', ...rest, String(policyId)]
        .filter((text) => text !== '')
        .join(' · '),
    };
  });
};
