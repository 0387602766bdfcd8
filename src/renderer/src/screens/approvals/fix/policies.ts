export const policyKinds = ['fulfillment', 'payment', 'return'] as const;
export type PolicyKind = (typeof policyKinds)[number];
export type Policy = { policyId: string; name: string };
export type Policies = Record<PolicyKind, Policy[]>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (of: Record<string, unknown>, ...names: string[]): string | null => {
  for (const name of names) {
    const value = of[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
};

/** The kind that a word speaks of: "fulfillment", "SHIPPING", "paymentPolicies", "returns". */
const kindOf = (word: string | null): PolicyKind | null => {
  const low = (word ?? '').toLowerCase();
  if (/fulfil|shipping/.test(low)) return 'fulfillment';
  if (low.includes('payment')) return 'payment';
  return low.includes('return') ? 'return' : null;
};

const take = (into: Policies, value: unknown, word: string | null): void => {
  if (!isObject(value)) return;
  const kind = kindOf(textOf(value, 'kind', 'type', 'policyType') ?? word);
  const named = kind === null ? null : textOf(value, `${kind}PolicyId`);
  const policyId = named ?? textOf(value, 'policyId', 'id');
  if (kind !== null && policyId !== null)
    into[kind].push({ policyId, name: textOf(value, 'name', 'title', 'label') ?? policyId });
};

/** The policies in an answer whose shape the interface leaves open: one list with kinds, or a list for each kind. */
export const policiesIn = (answer: unknown): Policies => {
  const found: Policies = { fulfillment: [], payment: [], return: [] };
  const look = (value: unknown, word: string | null): void => {
    if (Array.isArray(value)) for (const one of value) take(found, one, word);
    else if (isObject(value)) for (const [name, inner] of Object.entries(value)) look(inner, name);
  };
  look(answer, null);
  return found;
};

/** The policies that a publish names, as its body has them. */
export const policyBody = (chosen: Partial<Record<PolicyKind, string>>): Record<string, string> =>
  Object.fromEntries(policyKinds.flatMap((kind) => (chosen[kind] ? [[`${kind}PolicyId`, chosen[kind]]] : [])));
