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
 * What a request would do, to what, and where. Two requests of an asker with keys that overlap are the same thing to the
 * person, whatever their routes and values are.
 */
export type PromptKey = {
  act: string;
  target: string;
  /** The channels that it is for; null for all of them, and where there are none. */
  places: readonly string[] | null;
  /** What keeps two prompts of one key apart while they wait, such as the names of two new templates. */
  variant: string;
};

/** Routes that do the same. To buyers a listing that is removed from a channel has ended there. */
const likeRoutes: readonly (readonly RouteName[])[] = [
  ...(['publish', 'revise', 'delete'] as const).map((act) => routesOfActs(act)),
  [...routesOfActs('end'), 'deleteFromChannels'],
  ['createCheckoutToken', 'createCheckout'],
];

/** The routes that do the same as this one, itself among them. */
export const routesLike = (route: RouteName): readonly RouteName[] =>
  likeRoutes.find((routes) => routes.includes(route)) ?? [route];

/** The id of a channel without what services often ignore. */
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

/** The listing that a request is about. An agreement to the fees of a site is for all listings, so it is about none. */
export const subjectListingOf = (route: RouteName, input: unknown): string | null =>
  route === 'quoteFees' ? null : listingIdOf(input);

const targetOf = (route: RouteName, input: unknown): string => {
  const { listingId: _listing, ...params } = paramsOf(input);
  // A connection has one channel, whichever one a request names.
  if (route === 'deleteConnection') delete params['channelId'];
  return canonical({ ...params, listingId: subjectListingOf(route, input) });
};

/** Fields that say which of several things a request is about. Any other field is a value of the same thing, or is ignored. */
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

/** Stands for all places at once, among places that have names. */
const everywhere = '';

/** Whether a request is also for this place. */
export const coversPlace = ({ places }: PromptKey, place: string): boolean => places?.includes(place) ?? true;

/** The places at which two requests do the same to the same thing; none where they are about different things. */
export const sharedPlaces = (one: PromptKey, other: PromptKey): readonly string[] => {
  if (one.act !== other.act || one.target !== other.target) return [];
  return (one.places ?? other.places ?? [everywhere]).filter((place) => coversPlace(other, place));
};

/** Whether two requests do the same to the same thing, at one place at least. */
export const overlapKeys = (one: PromptKey, other: PromptKey): boolean => sharedPlaces(one, other).length > 0;
