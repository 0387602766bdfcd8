import type { ItemSummary } from '../../../api/types.ts';
import { plainly } from '../../../components/text/untrustedText.ts';
import type { Selection } from './useSelection.ts';
import { t } from '../../../i18n/t.ts';
import styles from './select.module.css';

/** The tick of one item in the list; Shift takes all from the last one. Seen on hover, on focus, and once one is set. */
export const SelectTick = ({ item, selection }: { item: ItemSummary; selection: Selection }) => (
  <label className={styles.tick} data-seen={selection.some || undefined}>
    <input
      type="checkbox"
      aria-label={t('items.select', { name: plainly(item.title ?? item.name) })}
      checked={selection.has(item.itemId)}
      onChange={(event) => {
        const { nativeEvent } = event;
        selection.toggle(item.itemId, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
      }}
    />
  </label>
);
