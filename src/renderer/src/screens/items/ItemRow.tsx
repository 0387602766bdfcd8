import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { CSSProperties, KeyboardEvent, MouseEvent, Ref } from 'react';
import { Link } from 'wouter';
import type { ItemSummary } from '../../api/types.ts';
import { ItemProgress, isMoving } from '../../components/ItemProgress.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { plainly } from '../../components/text/untrustedText.ts';
import { lockWords } from '../approvals/questions.ts';
import { useLock } from '../approvals/useQuestions.ts';
import { takesPhotos } from './arrange/PhotoTile.tsx';
import { useArrange } from './arrange/useArrange.ts';
import { NextSteps, useItemAct } from './NextSteps.tsx';
import { SelectTick } from './select/SelectTick.tsx';
import { isPickable, type Selection } from './select/useSelection.ts';
import { t } from '../../i18n/t.ts';
import { translate } from '../../i18n/language.ts';
import { Picture } from '../../components/Picture.tsx';
import styles from './itemRow.module.css';

const CancelButton = ({ item }: { item: ItemSummary }) => {
  const cancel = useItemAct('items.cancel');
  return (
    <Tooltip label={t('items.cancel')}>
      <ActionIcon
        className={styles.cancel}
        aria-label={t('items.cancelOne', { name: plainly(item.name) })}
        disabled={cancel.isPending}
        onClick={() => cancel.mutate(item.itemId)}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
};

const StartButton = ({ item, onStart }: { item: ItemSummary; onStart: () => void }) => (
  <Button
    className={styles.start}
    size="compact-sm"
    aria-label={t('arrange.startOne', { name: plainly(item.name) })}
    onClick={onStart}
  >
    {t('arrange.start')}
  </Button>
);

const Thumb = ({ item }: { item: ItemSummary }) => {
  return item.thumbUrl ? (
    <Picture src={item.thumbUrl} alt="" width={56} height={56} />
  ) : (
    <span className={styles.noPhoto} />
  );
};

type ItemRowProps = {
  item: ItemSummary;
  here: boolean;
  selection: Selection;
  place?: { at: number; of: number; style: CSSProperties; measure: Ref<HTMLLIElement> };
};

/** Space on a row, or a click with Shift, selects it instead of opening it. */
const selecting = (item: ItemSummary, selection: Selection) =>
  isPickable(item) && {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== ' ') return;
      event.preventDefault();
      selection.toggle(item.itemId, event.shiftKey);
    },
    onClick: (event: MouseEvent) => {
      if (!event.shiftKey) return;
      event.preventDefault();
      selection.toggle(item.itemId, true);
    },
  };

/** One item of the list: its photo, what it is, where it stands, and what to do when it stands still. */
export const ItemRow = ({ item, here, selection, place }: ItemRowProps) => {
  const arrange = useArrange();
  const lock = useLock(item.listingId);
  const words = lock ? lockWords(lock) : translate(item.says, item.words);
  return (
    <li
      className={styles.row}
      aria-label={`${plainly(item.title ?? item.name)} – ${words}`}
      data-here={here || undefined}
      data-guessed={item.guessed || undefined}
      data-chosen={(isPickable(item) && selection.has(item.itemId)) || undefined}
      {...(item.arrangeable && takesPhotos((photoIds) => arrange.move(item.itemId, photoIds)))}
      {...(place && {
        ref: place.measure,
        style: place.style,
        'data-index': place.at,
        'aria-posinset': place.at + 1,
        'aria-setsize': place.of,
      })}
    >
      <Link
        href={`/items/${encodeURIComponent(item.itemId)}`}
        className={styles.open}
        data-item={item.itemId}
        aria-current={here || undefined}
        {...selecting(item, selection)}
      >
        <Thumb item={item} />
        <span className={styles.texts}>
          <span className={styles.name}>
            <UntrustedText text={item.title ?? item.name} fold={10_000} flag={false} />
          </span>
          <span className={styles.words} data-look={item.stop !== null || item.step === 'review' || undefined}>
            {words}
          </span>
          <ItemProgress item={item} />
        </span>
      </Link>
      {isPickable(item) && <SelectTick item={item} selection={selection} />}
      {item.guessed && !item.stop && <StartButton item={item} onStart={() => arrange.begin([item.itemId])} />}
      {isMoving(item) && !item.guessed && <CancelButton item={item} />}
      {item.stop && !here && <NextSteps item={item} stop={item.stop} />}
    </li>
  );
};
