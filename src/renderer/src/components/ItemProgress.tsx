import type { ItemView } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import progressStyles from './itemProgress.module.css';

/** The five marks of an item's way, as the person sees them. */
const marks = ['photos', 'draft', 'upload', 'writing', 'review'] as const;

const markOf: Readonly<Record<ItemView['step'], number>> = {
  photos: 0,
  arranging: 0,
  draft: 1,
  upload: 2,
  line: 3,
  writing: 3,
  review: 4,
  live: 5,
  ended: 5,
};

export type MarkState = 'done' | 'moving' | 'due' | 'stopped' | 'ahead';

/** The state of each mark: what is behind, the one that moves (or waits for the person, or stopped), what is ahead. */
export const markStates = (item: Pick<ItemView, 'step' | 'stop'>): MarkState[] => {
  const at = markOf[item.step];
  return marks.map((_, mark) => {
    if (mark < at) return 'done';
    if (mark > at) return 'ahead';
    if (item.stop) return 'stopped';
    return item.step === 'review' || item.step === 'arranging' ? 'due' : 'moving';
  });
};

/** Whether the companion is still busy with it. */
export const isMoving = (item: Pick<ItemView, 'step' | 'stop'>): boolean =>
  !item.stop && !['arranging', 'review', 'live', 'ended'].includes(item.step);

type Props = { item: Pick<ItemView, 'step' | 'stop' | 'progress'>; named?: boolean };

/** The way of an item as five small marks. The words beside it say the same, so it is silent. */
export const ItemProgress = ({ item, named = false }: Props) => {
  const part = item.progress && item.progress.total > 0 ? item.progress.done / item.progress.total : 0;
  const states = markStates(item);
  return (
    <div className={progressStyles.way} aria-hidden data-named={named || undefined}>
      {marks.map((mark, at) => (
        <div key={mark} className={progressStyles.step} data-state={states[at]}>
          <div className={progressStyles.mark}>
            {states[at] === 'moving' && <div className={progressStyles.part} style={{ width: `${Math.round(part * 100)}%` }} />}
          </div>
          {named && <span>{t(`parts.way.${mark}`)}</span>}
        </div>
      ))}
    </div>
  );
};
