import { Link } from 'wouter';
import { useItems } from '../../../api/queries.ts';
import { usePrompts } from '../usePrompts.ts';
import { t } from '../../../i18n/t.ts';

/** The way to the item whose listing could not be published. The batch stays as it is. */
export const FixLink = ({ listingId }: { listingId: string }) => {
  const item = useItems().data?.find((one) => one.listingId === listingId);
  const { hide } = usePrompts();
  if (!item) return null;
  return (
    <Link href={`/items/${encodeURIComponent(item.itemId)}`} onClick={hide}>
      {t('approvals.batch.openItem')}
    </Link>
  );
};
