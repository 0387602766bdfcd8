import { findRouteAct, findListingCurrency, type RouteName } from '../../../contract/index.ts';
import { getRequestBody, toCanonicalJson, toRecordOrEmpty } from '../../base/json.ts';
import { toNameSkeleton } from '../../base/similarNames.ts';
import type { StoredSubject, Subject } from '../../storage/tables/approvalRecord.ts';
import { choosePolicySources } from '../prompts/policies.ts';
import { listJsonLeaves } from '../subject.ts';
import { findRequestListingId } from './promptKey.ts';

/** `photos` is null if the photos were not read. */
export type PromptFacts = {
  route: RouteName;
  input: unknown;
  listing: Record<string, unknown>;
  photos: readonly string[] | null;
  context: Record<string, unknown>;
};

export const toPromptFacts = (subject: Subject): PromptFacts => ({
  ...subject.request,
  listing: subject.listing ?? {},
  photos: subject.photos.map(({ sha256 }) => sha256),
  context: subject.context,
});

const fieldSettingRoutes: readonly RouteName[] = ['reviseListing', 'reviseChannels', 'updateListing'];

const getEffectiveFieldValue = ({ route, input, listing }: PromptFacts, name: string): unknown =>
  (fieldSettingRoutes.includes(route) ? toRecordOrEmpty(getRequestBody(input))[name] : undefined) ??
  listing[name] ??
  null;

const normalizeForComparison = (value: unknown): unknown => (typeof value === 'string' ? toNameSkeleton(value) : value);

/** Omits policies that the service chooses, because the request does not set them. */
const listNamedPolicies = ({ input, context }: PromptFacts): unknown[] => {
  const [template, defaults] = [context['template'], context['defaults']].map(toRecordOrEmpty);
  return choosePolicySources({ request: toRecordOrEmpty(getRequestBody(input)), template, defaults }, []).map(
    ({ policyIds }) => policyIds,
  );
};

/** A price in the same currency that differs by less than 5 % counts as the same price. */
const isPriceDifferent = (before: PromptFacts, after: PromptFacts): boolean => {
  const [was, is] = [before, after].map((facts) => getEffectiveFieldValue(facts, 'price'));
  if (typeof was !== 'number' || typeof is !== 'number') return was !== is;
  const [wasIn, isIn] = [before, after].map(({ listing }) => getListingCurrency(listing));
  return wasIn !== isIn || Math.abs(is - was) * 20 >= Math.max(was, 1);
};

const getListingCurrency = ({ currency, marketplaceId }: Record<string, unknown>): string | null =>
  typeof currency === 'string'
    ? currency
    : findListingCurrency({ marketplaceId: typeof marketplaceId === 'string' ? marketplaceId : null });

const createPhotoSetKey = (photos: readonly string[]): string => toCanonicalJson([...new Set(photos)].sort());

const canonicalizeForComparison = (value: unknown): string =>
  toCanonicalJson(
    listJsonLeaves(value)
      .map((leaf) => toCanonicalJson([leaf.path, normalizeForComparison(leaf.value)]))
      .sort(),
  );

const isUncorrectableRequest = ({ route }: PromptFacts): boolean =>
  findRouteAct(route) === 'disconnect' || route === 'deleteTemplate';

/** Returns whether two requests differ enough to ask the person again after a decline. */
export const isMaterialChange = (before: PromptFacts, after: PromptFacts): boolean => {
  if (isUncorrectableRequest(after)) return false;
  if (findRequestListingId(after.route, after.input) === null)
    return (
      canonicalizeForComparison(getRequestBody(before.input)) !== canonicalizeForComparison(getRequestBody(after.input))
    );
  const selectMaterialFacts = (facts: PromptFacts): unknown => [
    ...['title', 'condition', 'categoryId', 'quantity', 'format'].map((name) =>
      normalizeForComparison(getEffectiveFieldValue(facts, name)),
    ),
    listNamedPolicies(facts),
  ];
  return (
    toCanonicalJson(selectMaterialFacts(before)) !== toCanonicalJson(selectMaterialFacts(after)) ||
    isPriceDifferent(before, after) ||
    (before.photos !== null &&
      after.photos !== null &&
      createPhotoSetKey(before.photos) !== createPhotoSetKey(after.photos))
  );
};

/** Further fields that the person might mean by "The details are wrong". */
const detailFields = [
  'description',
  'itemSpecifics',
  'bestOffer',
  'price',
  'conditionDescription',
  'packageWeightGrams',
] as const;

/** Returns whether a field in `detailFields` differs. Unlike in `isMaterialChange`, any price difference counts. */
export const isDetailChange = (before: PromptFacts, after: PromptFacts): boolean => {
  const selectDetails = (facts: PromptFacts): unknown =>
    detailFields.map((name) => canonicalizeForComparison(getEffectiveFieldValue(facts, name)));
  return (
    !isUncorrectableRequest(after) && toCanonicalJson(selectDetails(before)) !== toCanonicalJson(selectDetails(after))
  );
};

/** Returns the facts of a stored subject; null if the subject has version 1. */
export const getStoredFacts = (subject: StoredSubject): PromptFacts | null =>
  subject.version === 2 ? toPromptFacts(subject) : null;
