import {
  findRouteAct,
  parseNamedChannels,
  marketChannel,
  listRoutesByAct,
  channelActRoutes,
  type RouteName,
} from '../../../contract/index.ts';
import { getRequestBody, toCanonicalJson, findListingId, getRequestParams, toRecordOrEmpty } from '../../base/json.ts';
import { toNameSkeleton } from '../../base/similarNames.ts';

/** Two requests with overlapping keys mean the same to the person, even if their values differ. */
export type PromptKey = {
  act: string;
  target: string;
  /** The channel ids; null if the request applies to all channels or if channels do not apply. */
  places: readonly string[] | null;
  /** Distinguishes requests about different things, such as two new templates. */
  variant: string;
};

/** Each entry lists routes with the same effect: for buyers, removing a listing from a channel ends it there. */
const equivalentRoutes: readonly (readonly RouteName[])[] = [
  ...(['publish', 'revise', 'delete'] as const).map((act) => listRoutesByAct(act)),
  [...listRoutesByAct('end'), 'deleteFromChannels'],
  ['createCheckoutToken', 'createCheckout'],
];

/** Returns the routes with the same effect as this route, including this route. */
export const listEquivalentRoutes = (route: RouteName): readonly RouteName[] =>
  equivalentRoutes.find((routes) => routes.includes(route)) ?? [route];

const normalizeChannelId = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const getRequestedChannels = (route: RouteName, body: unknown): readonly string[] | null => {
  const named = parseNamedChannels(body)?.map(normalizeChannelId) ?? null;
  if (findRouteAct(route) === 'publish') return named ?? [marketChannel];
  if (channelActRoutes.includes(route)) return named;
  return route === 'reviseListing' || route === 'endListing' ? [marketChannel] : null;
};

/** Returns null for `quoteFees`, because a fee notice applies to all listings of a site. */
export const findRequestListingId = (route: RouteName, input: unknown): string | null =>
  route === 'quoteFees' ? null : findListingId(input);

const createTargetKey = (route: RouteName, input: unknown): string => {
  const { listingId: _listing, ...params } = getRequestParams(input);
  // A connection has only one channel, so the channel id makes no difference.
  if (route === 'deleteConnection') delete params['channelId'];
  return toCanonicalJson({ ...params, listingId: findRequestListingId(route, input) });
};

/** Fields that identify what a request is about; the other fields only set values. */
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
  const body = getRequestBody(input);
  const [act = route] = listEquivalentRoutes(route);
  return {
    act,
    target: createTargetKey(route, input),
    places: getRequestedChannels(route, body),
    variant: createVariantKey(route, toRecordOrEmpty(body)),
  };
};

/** Represents all channels in a list of channel ids. */
const everywhere = '';

export const coversChannel = ({ places }: PromptKey, place: string): boolean => places?.includes(place) ?? true;

/** Returns the channels where two requests have the same effect; empty if the requests are about different things. */
export const listSharedChannels = (first: PromptKey, second: PromptKey): readonly string[] => {
  if (first.act !== second.act || first.target !== second.target) return [];
  return (first.places ?? second.places ?? [everywhere]).filter((place) => coversChannel(second, place));
};

/** Returns whether two requests have the same effect in at least one channel. */
export const doKeysOverlap = (first: PromptKey, second: PromptKey): boolean =>
  listSharedChannels(first, second).length > 0;
