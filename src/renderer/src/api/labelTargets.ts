import { createStore } from './createStore.ts';

/** Items or listings whose labels the person wants, in the order of the selection. */
export type LabelTargets = { itemIds: string[] } | { listingIds: string[] };

/** The targets of the open dialog. The menu that opened it is gone by then, so the frame shows the dialog. */
export const labelTargets = createStore<LabelTargets | null>(null);

export const openLabelsDialog = (targets: LabelTargets): void => labelTargets.set(targets);
