import type { ItemView } from '../../api/types.ts';
import { NoteField } from './NoteField.tsx';
import styles from './before.module.css';

const canTakeNote = (item: ItemView): boolean => ['photos', 'draft', 'upload', 'line'].includes(item.step);

/** What an item shows before its listing is written: a place for what the photos do not show. */
export const BeforeReview = ({ item }: { item: ItemView }) => (
  <>
    {canTakeNote(item) || item.stop ? (
      <NoteField item={item} />
    ) : (
      item.note !== '' && (
        <div>
          <h3>Your note</h3>
          <p className={styles.soft}>{item.note}</p>
        </div>
      )
    )}
    {!item.stop && (
      <p className={styles.soft}>The listing comes here when it is written. You can close this and go on.</p>
    )}
  </>
);
