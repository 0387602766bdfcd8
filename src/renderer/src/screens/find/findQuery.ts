import { createStore } from '../../api/createStore.ts';

/** The first query of the open Find dialog; null while it is closed. */
export const findQuery = createStore<string | null>(null);
