import {
  type AnsweredPolicy,
  listAnsweredPolicies as answeredPolicies,
  policyKinds,
  type PolicyKind,
} from '../../../../../contract/index.ts';

export { policyKinds, type PolicyKind };
export type Policy = Omit<AnsweredPolicy, 'name' | 'kind'> & { name: string };
export type Policies = Record<PolicyKind, Policy[]>;

/** A policy without a name gets its id as the name. */
export const groupPoliciesByKind = (answer: unknown): Policies => {
  const found: Policies = { fulfillment: [], payment: [], return: [] };
  for (const { kind, name, ...policy } of answeredPolicies(answer))
    if (kind !== null) found[kind].push({ ...policy, name: name ?? policy.policyId });
  return found;
};

export const toPolicyBody = (chosen: Partial<Record<PolicyKind, string>>): Record<string, string> =>
  Object.fromEntries(policyKinds.flatMap((kind) => (chosen[kind] ? [[`${kind}PolicyId`, chosen[kind]]] : [])));
