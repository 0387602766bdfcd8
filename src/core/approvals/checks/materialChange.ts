import { actOf, currencyOf, type RouteName } from '../../../contract/index.ts';
import { bodyOf, canonical, recordOf } from '../../base/json.ts';
import { skeletonOf } from '../../base/similarNames.ts';
import type { StoredSubject, Subject } from '../../storage/tables/approvalRecord.ts';
import { choosePolicies } from '../prompts/policies.ts';
import { leavesOf } from '../subject.ts';
import { subjectListingOf } from './promptKey.ts';

/** What is known of the subject of a prompt; `photos` is null if they were not read. */
export type PromptFacts = {
  route: RouteName;
  input: unknown;
  listing: Record<string, unknown>;
  photos: readonly string[] | null;
  context: Record<string, unknown>;
};

export const promptFactsOf = (subject: Subject): PromptFacts => ({
  ...subject.request,
  listing: subject.listing ?? {},
  photos: subject.photos.map(({ sha256 }) => sha256),
  context: subject.context,
});

const setting: readonly RouteName[] = ['reviseListing', 'reviseChannels', 'updateListing'];

const fieldOf = ({ route, input, listing }: PromptFacts, name: string): unknown =>
  (setting.includes(route) ? recordOf(bodyOf(input))[name] : undefined) ?? listing[name] ?? null;

/** Removes differences of a value that a reader would not notice. */
const foldValue = (value: unknown): unknown => (typeof value === 'string' ? skeletonOf(value) : value);

/** Returns the named policies. Policies that the service chooses are not facts of the request. */
const policiesOf = ({ input, context }: PromptFacts): unknown[] => {
  const [template, defaults] = [context['template'], context['defaults']].map(recordOf);
  return choosePolicies({ request: recordOf(bodyOf(input)), template, defaults }, []).map(({ policyIds }) => policyIds);
};

/** A price in the same currency that differs by less than 5 % counts as the same price. */
const isOtherPrice = (before: PromptFacts, after: PromptFacts): boolean => {
  const [was, is] = [before, after].map((facts) => fieldOf(facts, 'price'));
  if (typeof was !== 'number' || typeof is !== 'number') return was !== is;
  const [wasIn, isIn] = [before, after].map(({ listing }) => currencyIn(listing));
  return wasIn !== isIn || Math.abs(is - was) * 20 >= Math.max(was, 1);
};

const currencyIn = ({ currency, marketplaceId }: Record<string, unknown>): string | null =>
  typeof currency === 'string'
    ? currency
    : currencyOf({ marketplaceId: typeof marketplaceId === 'string' ? marketplaceId : null });

/** Identifies the set of photos, regardless of order and repetition. */
const photoSetOf = (photos: readonly string[]): string => canonical([...new Set(photos)].sort());

/** Returns every part of a value as a reader sees it. */
const plainLeavesOf = (value: unknown): string =>
  canonical(
    leavesOf(value)
      .map((leaf) => canonical([leaf.path, foldValue(leaf.value)]))
      .sort(),
  );

/** Acts whose requests contain nothing that could be corrected. */
const isPlainAct = ({ route }: PromptFacts): boolean => actOf(route) === 'disconnect' || route === 'deleteTemplate';

/**
 * Whether a person who declined one request may approve the other because a material fact differs.
 * Without a listing, every field of the request is material. Places are not: other places do not justify a new prompt.
 */
export const isMaterialChange = (before: PromptFacts, after: PromptFacts): boolean => {
  if (isPlainAct(after)) return false;
  if (subjectListingOf(after.route, after.input) === null)
    return plainLeavesOf(bodyOf(before.input)) !== plainLeavesOf(bodyOf(after.input));
  const plain = (facts: PromptFacts): unknown => [
    ...['title', 'condition', 'categoryId', 'quantity', 'format'].map((name) => foldValue(fieldOf(facts, name))),
    policiesOf(facts),
  ];
  return (
    canonical(plain(before)) !== canonical(plain(after)) ||
    isOtherPrice(before, after) ||
    (before.photos !== null && after.photos !== null && photoSetOf(before.photos) !== photoSetOf(after.photos))
  );
};

/** What "The details are wrong" may refer to besides the material facts. */
const details = [
  'description',
  'itemSpecifics',
  'bestOffer',
  'price',
  'conditionDescription',
  'packageWeightGrams',
] as const;

/** Whether a detail that is not a material fact differs. Any price difference counts. */
export const isDetailChange = (before: PromptFacts, after: PromptFacts): boolean => {
  const read = (facts: PromptFacts): unknown => details.map((name) => plainLeavesOf(fieldOf(facts, name)));
  return !isPlainAct(after) && canonical(read(before)) !== canonical(read(after));
};

/** Returns the facts of a stored subject; null for version 1. */
export const storedFactsOf = (subject: StoredSubject): PromptFacts | null =>
  subject.version === 2 ? promptFactsOf(subject) : null;
