import { Link } from 'wouter';
import { useItemIdOfListing } from '../../api/itemQueries.ts';
import { t } from '../../i18n.ts';
import { usePromptControls } from './usePrompts.ts';

export const ListingItemLink = ({ listingId }: { listingId: string }) => {
  const itemId = useItemIdOfListing(listingId);
  const { hide } = usePromptControls();
  if (itemId === null) return null;
  return (
    <Link href={`/items/${encodeURIComponent(itemId)}`} onClick={hide}>
      {t('approvals.batch.openItem')}
    </Link>
  );
};
