import * as z from 'zod';

export const linkScheme = 'listing-companion';

/** Plain words between slashes; what comes behind them is not read. */
const shape = new RegExp(`^${linkScheme}://([\\w/-]*)(?:[?#]|$)`);
const id = z.string().regex(/^[\w-]{1,100}$/);

/** Every place that a link may open. A link names a place and nothing else: it never does anything. */
const places = z.union([
  z.tuple([z.literal('items')]).transform(() => '/'),
  z.tuple([z.literal('items'), id]).transform(([, itemId]) => `/items/${itemId}`),
  z.tuple([z.literal('listings')]).transform(() => '/listings'),
  z.tuple([z.literal('listings'), id]).transform(([, listingId]) => `/listings/${listingId}`),
  z.tuple([z.literal('insights')]).transform(() => '/insights'),
  z.tuple([z.literal('approvals')]).transform(() => '/approvals'),
  z.tuple([z.literal('assistants')]).transform(() => '/assistants'),
  z.tuple([z.literal('selling')]).transform(() => '/selling'),
  z.tuple([z.literal('notifications')]).transform(() => '/notifications'),
  z.tuple([z.literal('account')]).transform(() => '/account'),
  z.tuple([z.literal('settings')]).transform(() => '/settings'),
  z.tuple([z.literal('help')]).transform(() => '/help'),
]);

/** The place in the window that a link names ("listing-companion://items/it_1"); null when there is no such place. */
export const placeOfLink = (link: string): string | null => {
  const [, path] = shape.exec(link) ?? [];
  const place = places.safeParse(path?.split('/').filter((part) => part !== ''));
  return place.success ? place.data : null;
};
