import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useListing } from '../../api/queries.ts';
import type { ItemView } from '../../api/types.ts';
import { isMoving } from '../../parts/itemWay.ts';
import { useAsk } from './review/useAsk.ts';
import { useCloseItem } from './useCloseItem.ts';
import { useItemAct } from './useItemAct.ts';
import { t } from '../../i18n/t.ts';
import styles from './pane.module.css';

const ListingActs = ({ listingId }: { listingId: string }) => {
  const status = useListing(listingId).data?.status;
  const ask = useAsk(listingId);
  if (status === 'published') return <Menu.Item onClick={() => ask.mutate('endListing')}>{t('items.end')}</Menu.Item>;
  if (status === 'ended') return <Menu.Item onClick={() => ask.mutate('relistListing')}>{t('items.relist')}</Menu.Item>;
  if (status === 'pending_review' || status === 'failed' || status === 'draft')
    return <Menu.Item onClick={() => ask.mutate('deleteListing')}>{t('items.delete')}</Menu.Item>;
  return null;
};

/** What can be done with an item as a whole. */
export const ItemActs = ({ item }: { item: ItemView }) => {
  const close = useCloseItem(item.itemId);
  const cancel = useItemAct('items.cancel');
  const remove = useItemAct('items.remove', close);
  if (isMoving(item))
    return (
      <div className={styles.acts}>
        <Button disabled={cancel.isPending} onClick={() => cancel.mutate(item.itemId)}>
          {t('items.cancel')}
        </Button>
      </div>
    );
  return (
    <div className={styles.acts}>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('items.more')}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {item.listingId && <ListingActs listingId={item.listingId} />}
          <Menu.Item onClick={() => remove.mutate(item.itemId)}>{t('items.remove')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
};
