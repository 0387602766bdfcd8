import { Link } from 'wouter';
import { useItemOf } from '../../api/itemQueries.ts';
import { t } from '../../i18n.ts';
import { usePrompts } from './useQuestions.ts';

/** Links to the item of a listing. The approval does not change. */
export const ItemLink = ({ listingId }: { listingId: string }) => {
  const itemId = useItemOf(listingId);
  const { hide } = usePrompts();
  if (itemId === null) return null;
  return (
    <Link href={`/items/${encodeURIComponent(itemId)}`} onClick={hide}>
      {t('approvals.batch.openItem')}
    </Link>
  );
};
