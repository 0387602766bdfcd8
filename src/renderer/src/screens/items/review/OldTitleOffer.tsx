import { replaceOldTitles } from '../../../../../text/oldTitles.ts';
import type { Listing } from '../../../api/call.ts';
import { useOriginalListing } from '../../../api/queries.ts';
import { createLazyComponent } from '../../../components/createLazyComponent.tsx';
import type { SaveListing } from './QueuedEdits.tsx';

/** Loaded separately, because most descriptions have no former title. */
const OldTitleReplacement = createLazyComponent(
  async () => (await import('./OldTitleReplacement.tsx')).OldTitleReplacement,
);

const earlierTitles = new Map<string, string[]>();

/** Remembers a title that an edit replaces, until the window closes. */
export const rememberEarlierTitle = (listingId: string, title: string | null | undefined): void => {
  const known = readEarlierTitles(listingId);
  if (title && !known.includes(title)) earlierTitles.set(listingId, [...known, title]);
};

export const readEarlierTitles = (listingId: string): readonly string[] => earlierTitles.get(listingId) ?? [];

/** Offers to replace a former title that the description still contains. Nothing changes until the person accepts. */
export const OldTitleOffer = ({ listing, save }: { listing: Listing; save: SaveListing }) => {
  const written = useOriginalListing(listing.listingId).data?.listing?.title;
  const { title, description } = listing;
  if (!title || !description) return null;
  const earlier = readEarlierTitles(listing.listingId);
  const replaced = replaceOldTitles(description, written ? [written, ...earlier] : earlier, title);
  if (replaced === description) return null;
  return <OldTitleReplacement description={description} replaced={replaced} save={save} />;
};
