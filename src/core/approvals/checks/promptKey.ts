import {
  actOf,
  channelsNamed,
  marketChannel,
  routesOfActs,
  routesOfChannels,
  type RouteName,
} from '../../../contract/index.ts';
import { bodyOf, canonical, listingIdOf, paramsOf, recordOf } from '../../base/json.ts';
import { skeletonOf } from '../../base/similarNames.ts';

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
const likeRoutes: readonly (readonly RouteName[])[] = [
  ...(['publish', 'revise', 'delete'] as const).map((act) => routesOfActs(act)),
  [...routesOfActs('end'), 'deleteFromChannels'],
  ['createCheckoutToken', 'createCheckout'],
];

/** Returns the routes with the same effect as this route, including itself. */
export const routesLike = (route: RouteName): readonly RouteName[] =>
  likeRoutes.find((routes) => routes.includes(route)) ?? [route];

/** Returns the id of a channel without the differences that services often ignore. */
const foldId = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const placesOf = (route: RouteName, body: unknown): readonly string[] | null => {
  const named = channelsNamed(body)?.map(foldId) ?? null;
  if (actOf(route) === 'publish') return named ?? [marketChannel];
  if (routesOfChannels.includes(route)) return named;
  return route === 'reviseListing' || route === 'endListing' ? [marketChannel] : null;
};

/** Returns the listing of a request. Accepting the fee notice of a site applies to all listings, so it has no listing. */
export const subjectListingOf = (route: RouteName, input: unknown): string | null =>
  route === 'quoteFees' ? null : listingIdOf(input);

const targetOf = (route: RouteName, input: unknown): string => {
  const { listingId: _listing, ...params } = paramsOf(input);
  // A connection has one channel, whichever channel the request names.
  if (route === 'deleteConnection') delete params['channelId'];
  return canonical({ ...params, listingId: subjectListingOf(route, input) });
};

/** Fields that select which of several things a request is about. Any other field is a value of that thing, or is ignored. */
const variantFields: Partial<Record<RouteName, readonly string[]>> = {
  createTemplate: ['name', 'marketplaceId'],
  generateListing: ['targetMarketplaceId'],
  quoteFees: ['marketplaceId'],
  bootstrapPolicies: ['marketplaceId'],
};

const variantOf = (route: RouteName, body: Record<string, unknown>): string => {
  const names = variantFields[route] ?? [];
  return names
    .map((name) => (typeof body[name] === 'string' ? skeletonOf(body[name]) : ''))
    .join(' ')
    .trim();
};

export const promptKeyOf = (route: RouteName, input: unknown): PromptKey => {
  const body = bodyOf(input);
  const [act = route] = routesLike(route);
  return {
    act,
    target: targetOf(route, input),
    places: placesOf(route, body),
    variant: variantOf(route, recordOf(body)),
  };
};

/** Represents all places in a list of named places. */
const everywhere = '';

/** Whether a request covers this place. */
export const coversPlace = ({ places }: PromptKey, place: string): boolean => places?.includes(place) ?? true;

/** Returns the places at which two requests do the same to the same thing; empty if they are about different things. */
export const sharedPlaces = (one: PromptKey, other: PromptKey): readonly string[] => {
  if (one.act !== other.act || one.target !== other.target) return [];
  return (one.places ?? other.places ?? [everywhere]).filter((place) => coversPlace(other, place));
};

/** Whether two requests do the same to the same thing in at least one place. */
export const overlapKeys = (one: PromptKey, other: PromptKey): boolean => sharedPlaces(one, other).length > 0;
