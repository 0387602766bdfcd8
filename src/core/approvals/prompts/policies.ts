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

/** A policy as it was answered. */
type Policy = Record<string, unknown>;

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

/** What a policy is called, and what tells of it only which one and of which kind it is. */
const notTerms = new Set(['policyId', 'id', ...Object.values(policyFields), 'kind', 'type', 'policyType', 'name']);

/** What a policy says: its name in marks, the terms that are known in words, and all others as they came, in marks too. */
const partsOf = (policy: Policy): Message[] => {
  const { name } = policy;
  const terms = Object.fromEntries(Object.entries(policy).filter(([field]) => !notTerms.has(field)));
  const all = Object.keys(terms).length === 0 ? [] : leavesOf(terms);
  const rest = all.map(({ path, value }) => {
    const term = path.join('.');
    // A term that nobody knows may be called like any field of a listing.
    return knownTerm(policy, term, value) ?? quotedWhole(`${term}: ${valueText('', value, null).text}`);
  });
  return typeof name === 'string' && name !== '' ? [quotedWhole(name), ...rest] : rest;
};

const joinedParts = ([first, ...more]: readonly Message[]): Message | undefined =>
  first && more.reduce((before, next) => message('values.listed', { before, next }), first);

/** A policy in words: its name and its terms; null where nothing but its id was answered. */
export const policySays = (policy: Policy): Message | null => joinedParts(partsOf(policy)) ?? null;

/** Who names a policy; where nobody does, the service chooses one. */
export type PolicyChoice = {
  kind: PolicyKind;
  by: 'request' | 'template' | 'defaults' | 'service';
  /** The one that is named, or the ones of the site that the service may choose from. */
  policyIds: string[];
};

type Named = Readonly<Record<string, unknown>> | null | undefined;

const idIn = (named: Named, kind: PolicyKind): string | undefined => {
  const id = named?.[policyFields[kind]];
  return typeof id === 'string' ? id : undefined;
};

/** Who names the policy of each kind: the request, else the template of the listing, else the seller's defaults. */
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
 * The policies that apply where the request is silent: that of the template or of the defaults, else that the service
 * chooses, and from which. `unknownKind` are policies of the site whose kind the answer does not tell; null where no
 * policies could be read, which is said, as nothing would look like there being none.
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
