import type { CallAnswer, CallInput, CallName, CompanionWindow } from '../../../ipc/calls.ts';
import { CallError } from './callError.ts';

declare global {
  interface Window {
    companion?: CompanionWindow;
  }
}

/** The host's side of this window. */
export const companion = (): CompanionWindow => {
  if (window.companion) return window.companion;
  throw new CallError({ code: 'NO_HOST', sentence: 'This page runs only inside the companion.' });
};

/** One call to the core: its answer, or a thrown `CallError`. */
export const call = async <N extends CallName>(name: N, input: CallInput<N>): Promise<CallAnswer<N>> => {
  const reply = await companion().call(name, input);
  if (!reply.ok) throw new CallError(reply.problem);
  // The host answers by the same table; this is the boundary where its word is taken for it.
  return reply.value as CallAnswer<N>;
};
