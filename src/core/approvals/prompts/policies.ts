import {
  findListingCurrency,
  policyFields,
  policyKinds,
  type AnsweredPolicy,
  type PolicyKind,
} from '../../../contract/index.ts';
import { formatEnglishMessage } from '../../../i18n/english.ts';
import { createMessage, type Message } from '../../../i18n/message.ts';
import { getWeightUnits } from '../../../i18n/weights.ts';
import type { PromptFact } from '../../storage/tables/approvalRecord.ts';
import { listJsonLeaves } from '../subject.ts';
import { quoteForeignText } from '../../base/messages.ts';
import { formatIdName, type IdNames } from './ids.ts';
import { createFactLabel, formatFieldValue } from './values.ts';

type PolicyRecord = Record<string, unknown>;

const isMinorAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const describeShippingTerm = (name: string, value: unknown, site: string | null): Message | null => {
  if (name === 'postage' && value === 'flat') return createMessage('values.postageFlat');
  if (name === 'postage' && value === 'calculated') return createMessage('values.postageCalculated');
  if (!isMinorAmount(value)) return null;
  if (name === 'maxWeightGrams')
    return createMessage('values.weightUpTo', { weight: { grams: value, units: getWeightUnits(site) } });
  const currency = findListingCurrency({ marketplaceId: site });
  // A number without a currency must not look like an amount.
  return name === 'flatMinor' && currency !== null
    ? createMessage('values.postageOf', { amount: { minor: value, currency } })
    : null;
};

const describeReturnTerm = (name: string, value: unknown): Message | null => {
  if (name === 'days' && isMinorAmount(value)) return createMessage('values.returnDays', { count: value });
  if (name === 'accepted' && typeof value === 'boolean')
    return createMessage(value ? 'values.returnsTaken' : 'values.returnsNotTaken');
  return null;
};

const describeKnownTerm = ({ kind, marketplaceId }: PolicyRecord, name: string, value: unknown): Message | null => {
  if (name === 'marketplaceId') return typeof value === 'string' ? (formatFieldValue(name, value).says ?? null) : null;
  const site = typeof marketplaceId === 'string' ? marketplaceId : null;
  if (kind === 'fulfillment') return describeShippingTerm(name, value, site);
  return kind === 'return' ? describeReturnTerm(name, value) : null;
};

const identifyingFields = new Set([
  'policyId',
  'id',
  ...Object.values(policyFields),
  'kind',
  'type',
  'policyType',
  'name',
]);

/** Known terms become texts of the companion; unknown terms are quoted. */
const describePolicyParts = (policy: PolicyRecord): Message[] => {
  const { name } = policy;
  const terms = Object.fromEntries(Object.entries(policy).filter(([field]) => !identifyingFields.has(field)));
  const leaves = Object.keys(terms).length === 0 ? [] : listJsonLeaves(terms);
  const rest = leaves.map(({ path, value }) => {
    const term = path.join('.');
    // An unknown term can have the name of a listing field, so the name must not decide how the value is formatted.
    return describeKnownTerm(policy, term, value) ?? quoteForeignText(`${term}: ${formatFieldValue('', value).text}`);
  });
  return typeof name === 'string' && name !== '' ? [quoteForeignText(name), ...rest] : rest;
};

const joinPolicyParts = ([first, ...more]: readonly Message[]): Message | undefined =>
  first && more.reduce((before, next) => createMessage('values.listed', { before, next }), first);

/** Returns the name and terms of a policy; null if only its id is known. */
export const describePolicy = (policy: PolicyRecord): Message | null =>
  joinPolicyParts(describePolicyParts(policy)) ?? null;

/** `by` is the source that names the policy; `service` means that no source names a policy. */
export type PolicyChoice = {
  kind: PolicyKind;
  by: 'request' | 'template' | 'defaults' | 'service';
  /** The named policy, or all policies that the service can choose from. */
  policyIds: string[];
};

type PolicySource = Readonly<Record<string, unknown>> | null | undefined;

const getPolicyId = (named: PolicySource, kind: PolicyKind): string | undefined => {
  const id = named?.[policyFields[kind]];
  return typeof id === 'string' ? id : undefined;
};

/** The request takes precedence over the template, and the template over the seller's defaults. */
export const choosePolicySources = (
  named: { request: PolicySource; template: PolicySource; defaults: PolicySource },
  ofSite: readonly AnsweredPolicy[],
): PolicyChoice[] =>
  policyKinds.map((kind) => {
    const by = (['request', 'template', 'defaults'] as const).find(
      (source) => getPolicyId(named[source], kind) !== undefined,
    );
    const id = by && getPolicyId(named[by], kind);
    return by && id !== undefined
      ? { kind, by, policyIds: [id] }
      : {
          kind,
          by: 'service',
          policyIds: ofSite.filter((policy) => policy.kind === kind).map(({ policyId }) => policyId),
        };
  });

const joinPolicyNames = (ids: readonly string[], names: IdNames): Message | undefined => {
  const [first, ...more] = ids.map((id) => formatIdName('policy', id, names));
  return first && more.reduce((before, next) => createMessage('values.oneOf', { before, next }), first);
};

const describePolicyChoice = ({ by, policyIds }: PolicyChoice, names: IdNames): Message => {
  const policy = joinPolicyNames(policyIds, names);
  if (!policy) return createMessage('values.chosenByService');
  if (by === 'service') return createMessage('values.chosenFrom', { policies: policy });
  return createMessage(by === 'template' ? 'values.fromTemplate' : 'values.fromDefaults', { policy });
};

const createPolicyFact = (key: string, label: Pick<PromptFact, 'label' | 'labelSays'>, says: Message): PromptFact => ({
  namespace: 'policies',
  key,
  ...label,
  value: formatEnglishMessage(says),
  says,
});

const createPolicyKindLabel = (kind: PolicyKind): Pick<PromptFact, 'label' | 'labelSays'> => ({
  label: formatEnglishMessage(createMessage(`labels.${policyFields[kind]}`)),
  labelSays: createMessage(`labels.${policyFields[kind]}`),
});

/**
 * Returns facts about policies that the request does not name. `unknownKind` contains the ids of policies whose kind is
 * unknown; null if the policies could not be read.
 */
export const createPolicyFacts = (
  choices: readonly PolicyChoice[],
  unknownKind: readonly string[] | null,
  names: IdNames,
): PromptFact[] => {
  const silent = choices.filter(({ by }) => by !== 'request');
  const isChosen = silent.some(({ by }) => by === 'service');
  const others = unknownKind === null ? undefined : joinPolicyNames(unknownKind, names);
  return [
    ...silent.map((choice) =>
      createPolicyFact(
        policyFields[choice.kind],
        createPolicyKindLabel(choice.kind),
        describePolicyChoice(choice, names),
      ),
    ),
    ...(isChosen && others
      ? [
          createPolicyFact(
            'unknownKind',
            createFactLabel('policies'),
            createMessage('values.ofUnknownKind', { policies: others }),
          ),
        ]
      : []),
    ...(isChosen && unknownKind === null
      ? [createPolicyFact('unread', createFactLabel('policies'), createMessage('values.policiesUnread'))]
      : []),
  ];
};
