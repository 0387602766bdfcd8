import type { ItemView } from '../api/types.ts';

/** The five marks of an item's way, as the person sees them. */
export const marks = ['photos', 'draft', 'upload', 'writing', 'review'] as const;

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
