import {
  type AnsweredPolicy,
  findAnsweredPolicies as answeredPolicies,
  policyKinds,
  type PolicyKind,
} from '../../../../../contract/index.ts';

export { policyKinds, type PolicyKind };
export type Policy = Omit<AnsweredPolicy, 'name' | 'kind'> & { name: string };
export type Policies = Record<PolicyKind, Policy[]>;

/** Groups the policies of an answer by kind. A policy without a name gets its id as name. */
export const groupPoliciesByKind = (answer: unknown): Policies => {
  const found: Policies = { fulfillment: [], payment: [], return: [] };
  for (const { kind, name, ...policy } of answeredPolicies(answer))
    if (kind !== null) found[kind].push({ ...policy, name: name ?? policy.policyId });
  return found;
};

/** Returns the policy fields of a publish request's body. */
export const toPolicyBody = (chosen: Partial<Record<PolicyKind, string>>): Record<string, string> =>
  Object.fromEntries(policyKinds.flatMap((kind) => (chosen[kind] ? [[`${kind}PolicyId`, chosen[kind]]] : [])));
