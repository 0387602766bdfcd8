import {
  actOf,
  channelsNamed,
  marketChannel,
  routesOfActs,
  routesOfChannels,
  type RouteName,
} from '../../../contract/index.ts';
import { bodyOf, canonical, listingIdOf, paramsOf, recordOf } from '../../base/json.ts';

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

/** Routes that do the same. */
const likeRoutes: readonly (readonly RouteName[])[] = [
  ...(['publish', 'revise', 'end', 'delete'] as const).map((act) => routesOfActs(act)),
  ['createCheckoutToken', 'createCheckout'],
];

/** The routes that do the same as this one, itself among them. */
export const routesLike = (route: RouteName): readonly RouteName[] =>
  likeRoutes.find((routes) => routes.includes(route)) ?? [route];

/** A text without what makes no difference to a reader. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const placesOf = (route: RouteName, body: unknown): readonly string[] | null => {
  const named = channelsNamed(body)?.map(foldText) ?? null;
  if (actOf(route) === 'publish') return named ?? [marketChannel];
  if (routesOfChannels.includes(route)) return named;
  return route === 'reviseListing' || route === 'endListing' ? [marketChannel] : null;
};

/** Whoever agrees to the fees of a site agrees for all listings, so the listing of that request is no target. */
const targetOf = (route: RouteName, input: unknown): string =>
  route === 'quoteFees' ? '' : canonical({ ...paramsOf(input), listingId: listingIdOf(input) });

const variantOf = (route: RouteName, body: Record<string, unknown>): string => {
  if (actOf(route) !== null) return '';
  const names = route === 'createTemplate' ? ['name', 'marketplaceId'] : ['marketplaceId', 'targetMarketplaceId'];
  return names.map((name) => (typeof body[name] === 'string' ? foldText(body[name]) : '')).join(' ');
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

/** Whether two requests do the same to the same thing, at one place at least. */
export const overlapKeys = (one: PromptKey, other: PromptKey): boolean =>
  one.act === other.act &&
  one.target === other.target &&
  (one.places === null || other.places === null || one.places.some((place) => other.places?.includes(place)));
