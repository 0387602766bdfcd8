import {
  currencyOf,
  policyFields,
  policyKinds,
  type AnsweredPolicy,
  type PolicyKind,
} from '../../../contract/index.ts';
import { formatEnglish } from '../../../i18n/english.ts';
import { message, type Message } from '../../../i18n/message.ts';
import type { Fact } from '../../storage/tables/approvalRecord.ts';
import { leavesOf } from '../subject.ts';
import { quotedWhole } from './quotes.ts';
import { idSays, type Names } from './ids.ts';
import { ownLabel, valueText } from './values.ts';

/** A policy as the service returned it. */
type Policy = Record<string, unknown>;

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const shippingTerm = (name: string, value: unknown, currency: string | null): Message | null => {
  if (name === 'postage' && value === 'flat') return message('values.postageFlat');
  if (name === 'postage' && value === 'calculated') return message('values.postageCalculated');
  if (!isAmount(value)) return null;
  if (name === 'maxWeightGrams') return message('values.weightUpTo', { grams: value });
  // An amount without a currency is not shown as an amount.
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

/** Returns a known term of a policy as a text; null for an unknown term. */
const knownTerm = ({ kind, marketplaceId }: Policy, name: string, value: unknown): Message | null => {
  if (name === 'marketplaceId') return typeof value === 'string' ? (valueText(name, value, null).says ?? null) : null;
  const site = typeof marketplaceId === 'string' ? marketplaceId : null;
  if (kind === 'fulfillment') return shippingTerm(name, value, currencyOf({ marketplaceId: site }));
  return kind === 'return' ? returnTerm(name, value) : null;
};

/** Fields that only identify the policy and its kind. */
const notTerms = new Set(['policyId', 'id', ...Object.values(policyFields), 'kind', 'type', 'policyType', 'name']);

/** Returns the quoted name of a policy and its terms: known terms as texts, all others quoted. */
const partsOf = (policy: Policy): Message[] => {
  const { name } = policy;
  const terms = Object.fromEntries(Object.entries(policy).filter(([field]) => !notTerms.has(field)));
  const all = Object.keys(terms).length === 0 ? [] : leavesOf(terms);
  const rest = all.map(({ path, value }) => {
    const term = path.join('.');
    // An unknown term may have the same name as a field of a listing.
    return knownTerm(policy, term, value) ?? quotedWhole(`${term}: ${valueText('', value, null).text}`);
  });
  return typeof name === 'string' && name !== '' ? [quotedWhole(name), ...rest] : rest;
};

const joinedParts = ([first, ...more]: readonly Message[]): Message | undefined =>
  first && more.reduce((before, next) => message('values.listed', { before, next }), first);

/** Returns the name and terms of a policy; null if only its id is known. */
export const policySays = (policy: Policy): Message | null => joinedParts(partsOf(policy)) ?? null;

/** The source that names a policy; if there is none, the service chooses one. */
export type PolicyChoice = {
  kind: PolicyKind;
  by: 'request' | 'template' | 'defaults' | 'service';
  /** The named policy, or the policies of the site from which the service may choose. */
  policyIds: string[];
};

type Named = Readonly<Record<string, unknown>> | null | undefined;

const idIn = (named: Named, kind: PolicyKind): string | undefined => {
  const id = named?.[policyFields[kind]];
  return typeof id === 'string' ? id : undefined;
};

/** Returns the source of the policy of each kind: the request, else the listing's template, else the seller's defaults. */
export const choosePolicies = (
  named: { request: Named; template: Named; defaults: Named },
  ofSite: readonly AnsweredPolicy[],
): PolicyChoice[] =>
  policyKinds.map((kind) => {
    const by = (['request', 'template', 'defaults'] as const).find((source) => idIn(named[source], kind) !== undefined);
    const id = by && idIn(named[by], kind);
    return by && id !== undefined
      ? { kind, by, policyIds: [id] }
      : {
          kind,
          by: 'service',
          policyIds: ofSite.filter((policy) => policy.kind === kind).map(({ policyId }) => policyId),
        };
  });

const listed = (ids: readonly string[], names: Names): Message | undefined => {
  const [first, ...more] = ids.map((id) => idSays('policy', id, names));
  return first && more.reduce((before, next) => message('values.oneOf', { before, next }), first);
};

const choiceSays = ({ by, policyIds }: PolicyChoice, names: Names): Message => {
  const policy = listed(policyIds, names);
  if (!policy) return message('values.chosenByService');
  if (by === 'service') return message('values.chosenFrom', { policies: policy });
  return message(by === 'template' ? 'values.fromTemplate' : 'values.fromDefaults', { policy });
};

const fact = (key: string, label: Pick<Fact, 'label' | 'labelSays'>, says: Message): Fact => ({
  namespace: 'policies',
  key,
  ...label,
  value: formatEnglish(says),
  says,
});

const kindLabel = (kind: PolicyKind): Pick<Fact, 'label' | 'labelSays'> => ({
  label: formatEnglish(message(`labels.${policyFields[kind]}`)),
  labelSays: message(`labels.${policyFields[kind]}`),
});

/**
 * Returns the policies that apply where the request names none: from the template, the defaults, or the service's choice.
 * `unknownKind` are policies of the site without a known kind; null if the policies could not be read,
 * which is stated because an empty list would mean that there are none.
 */
export const policyFacts = (
  choices: readonly PolicyChoice[],
  unknownKind: readonly string[] | null,
  names: Names,
): Fact[] => {
  const silent = choices.filter(({ by }) => by !== 'request');
  const isChosen = silent.some(({ by }) => by === 'service');
  const others = unknownKind === null ? undefined : listed(unknownKind, names);
  return [
    ...silent.map((choice) => fact(policyFields[choice.kind], kindLabel(choice.kind), choiceSays(choice, names))),
    ...(isChosen && others
      ? [fact('unknownKind', ownLabel('policies'), message('values.ofUnknownKind', { policies: others }))]
      : []),
    ...(isChosen && unknownKind === null
      ? [fact('unread', ownLabel('policies'), message('values.policiesUnread'))]
      : []),
  ];
};
