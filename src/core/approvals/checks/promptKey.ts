import {
  findRouteAct,
  readNamedChannels,
  marketChannel,
  listRoutesOfActs,
  routesOfChannels,
  type RouteName,
} from '../../../contract/index.ts';
import {
  readRequestBody,
  toCanonicalJson,
  readListingId,
  readRequestParams,
  toRecordOrEmpty,
} from '../../base/json.ts';
import { toNameSkeleton } from '../../base/similarNames.ts';

/**
 * What a request does, to what, and where. Two requests of an asker with overlapping keys are the same to the person,
 * whatever their routes and values.
 */
export type PromptKey = {
  act: string;
  target: string;
  /** The channels of the request; null for all channels, and where channels do not apply. */
  places: readonly string[] | null;
  /** Separates pending prompts of one key, such as the names of two new templates. */
  variant: string;
};

/** Routes with the same effect. For buyers, removing a listing from a channel ends it there. */
const equivalentRoutes: readonly (readonly RouteName[])[] = [
  ...(['publish', 'revise', 'delete'] as const).map((act) => listRoutesOfActs(act)),
  [...listRoutesOfActs('end'), 'deleteFromChannels'],
  ['createCheckoutToken', 'createCheckout'],
];

/** Returns the routes with the same effect as this route, including itself. */
export const listEquivalentRoutes = (route: RouteName): readonly RouteName[] =>
  equivalentRoutes.find((routes) => routes.includes(route)) ?? [route];

/** Returns the id of a channel without the differences that services often ignore. */
const foldChannelId = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const readRequestedPlaces = (route: RouteName, body: unknown): readonly string[] | null => {
  const named = readNamedChannels(body)?.map(foldChannelId) ?? null;
  if (findRouteAct(route) === 'publish') return named ?? [marketChannel];
  if (routesOfChannels.includes(route)) return named;
  return route === 'reviseListing' || route === 'endListing' ? [marketChannel] : null;
};

/** Returns the listing of a request. Accepting the fee notice of a site applies to all listings, so it has no listing. */
export const readSubjectListing = (route: RouteName, input: unknown): string | null =>
  route === 'quoteFees' ? null : readListingId(input);

const createTargetKey = (route: RouteName, input: unknown): string => {
  const { listingId: _listing, ...params } = readRequestParams(input);
  // A connection has one channel, whichever channel the request names.
  if (route === 'deleteConnection') delete params['channelId'];
  return toCanonicalJson({ ...params, listingId: readSubjectListing(route, input) });
};

/** Fields that select which of several things a request is about. Any other field is a value of that thing, or is ignored. */
const variantFields: Partial<Record<RouteName, readonly string[]>> = {
  createTemplate: ['name', 'marketplaceId'],
  generateListing: ['targetMarketplaceId'],
  quoteFees: ['marketplaceId'],
  bootstrapPolicies: ['marketplaceId'],
};

const createVariantKey = (route: RouteName, body: Record<string, unknown>): string => {
  const names = variantFields[route] ?? [];
  return names
    .map((name) => (typeof body[name] === 'string' ? toNameSkeleton(body[name]) : ''))
    .join(' ')
    .trim();
};

export const createPromptKey = (route: RouteName, input: unknown): PromptKey => {
  const body = readRequestBody(input);
  const [act = route] = listEquivalentRoutes(route);
  return {
    act,
    target: createTargetKey(route, input),
    places: readRequestedPlaces(route, body),
    variant: createVariantKey(route, toRecordOrEmpty(body)),
  };
};

/** Represents all places in a list of named places. */
const everywhere = '';

/** Whether a request covers this place. */
export const keyCoversPlace = ({ places }: PromptKey, place: string): boolean => places?.includes(place) ?? true;

/** Returns the places at which two requests do the same to the same thing; empty if they are about different things. */
export const listSharedPlaces = (first: PromptKey, second: PromptKey): readonly string[] => {
  if (first.act !== second.act || first.target !== second.target) return [];
  return (first.places ?? second.places ?? [everywhere]).filter((place) => keyCoversPlace(second, place));
};

/** Whether two requests do the same to the same thing in at least one place. */
export const doKeysOverlap = (first: PromptKey, second: PromptKey): boolean =>
  listSharedPlaces(first, second).length > 0;
