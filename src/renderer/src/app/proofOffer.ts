import { createStore } from '../api/createStore.ts';

/** True after this window has connected an account, until the person answers the offer. */
export const isProofOffered = createStore(false);
