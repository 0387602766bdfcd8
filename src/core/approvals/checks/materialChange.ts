import { actOf, currencyOf, type RouteName } from '../../../contract/index.ts';
import { bodyOf, canonical, recordOf } from '../../base/json.ts';
import { skeletonOf } from '../../base/similarNames.ts';
import type { StoredSubject, Subject } from '../../storage/tables/approvalRecord.ts';
import { choosePolicies } from '../prompts/policies.ts';
import { leavesOf } from '../subject.ts';
import { subjectListingOf } from './promptKey.ts';

/** What a prompt is about, as far as it is known; `photos` is null where they are not. */
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

/** Routes whose bodies set fields of the listing. */
const setting: readonly RouteName[] = ['reviseListing', 'reviseChannels', 'updateListing'];

const fieldOf = ({ route, input, listing }: PromptFacts, name: string): unknown =>
  (setting.includes(route) ? recordOf(bodyOf(input))[name] : undefined) ?? listing[name] ?? null;

/** A value without what makes no difference to a reader. */
const foldValue = (value: unknown): unknown => (typeof value === 'string' ? skeletonOf(value) : value);

/** The policies that are named; those that the service chooses are no fact of the request. */
const policiesOf = ({ input, context }: PromptFacts): unknown[] => {
  const [template, defaults] = [context['template'], context['defaults']].map(recordOf);
  return choosePolicies({ request: recordOf(bodyOf(input)), template, defaults }, []).map(({ policyIds }) => policyIds);
};

/** A price that differs by less than a twentieth is the same price, in the same currency. */
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

/** Which photos, in whatever order and however often. */
const photoSetOf = (photos: readonly string[]): string => canonical([...new Set(photos)].sort());

/** Every part of a value as a reader sees it. */
const plainLeavesOf = (value: unknown): string =>
  canonical(
    leavesOf(value)
      .map((leaf) => canonical([leaf.path, foldValue(leaf.value)]))
      .sort(),
  );

/** Acts for which nothing about the request can be corrected. */
const isPlainAct = ({ route }: PromptFacts): boolean => actOf(route) === 'disconnect' || route === 'deleteTemplate';

/**
 * Whether a person who said no to the one may say otherwise to the other: a fact that matters differs. Where there is no
 * listing, that is any field of the request. Other places are no such fact: they buy no prompt for one that was declined.
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

/** What "The details are wrong" may be about besides the facts that matter. */
const details = [
  'description',
  'itemSpecifics',
  'bestOffer',
  'price',
  'conditionDescription',
  'packageWeightGrams',
] as const;

/** Whether a detail differs that is no material fact; of the price, however little. */
export const isDetailChange = (before: PromptFacts, after: PromptFacts): boolean => {
  const read = (facts: PromptFacts): unknown => details.map((name) => plainLeavesOf(fieldOf(facts, name)));
  return !isPlainAct(after) && canonical(read(before)) !== canonical(read(after));
};

/** The facts of what was stored; null for what was asked before there were subjects. */
export const storedFactsOf = (subject: StoredSubject): PromptFacts | null =>
  subject.version === 2 ? promptFactsOf(subject) : null;
