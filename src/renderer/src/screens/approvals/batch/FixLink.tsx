import { Link } from 'wouter';
import { useItemOf } from '../../../api/itemQueries.ts';
import { usePrompts } from '../usePrompts.ts';
import { t } from '../../../i18n/t.ts';

/** The way to the item whose listing could not be published. The batch stays as it is. */
export const FixLink = ({ listingId }: { listingId: string }) => {
  const itemId = useItemOf(listingId);
  const { hide } = usePrompts();
  if (itemId === null) return null;
  return (
    <Link href={`/items/${encodeURIComponent(itemId)}`} onClick={hide}>
      {t('approvals.batch.openItem')}
    </Link>
  );
};
