import type { ItemView } from '../../api/types.ts';
import { NoteField } from './NoteField.tsx';
import { t } from '../../i18n/t.ts';
import styles from './before.module.css';

const canTakeNote = (item: ItemView): boolean => ['photos', 'arranging', 'draft', 'upload', 'line'].includes(item.step);

/** What an item shows before its listing is written: a place for what the photos do not show. */
export const BeforeReview = ({ item }: { item: ItemView }) => (
  <>
    {canTakeNote(item) || item.stop ? (
      <NoteField item={item} />
    ) : (
      item.note !== '' && (
        <div>
          <h3>{t('items.yourNote')}</h3>
          <p className={styles.soft}>{item.note}</p>
        </div>
      )
    )}
    {!item.stop && !item.guessed && <p className={styles.soft}>{t('items.comesHere')}</p>}
  </>
);
