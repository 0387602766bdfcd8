import type { CallAnswer, CallInput, CallName } from '../../../ipc/calls.ts';
import { createStore } from './createStore.ts';

type CallOnce = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallAnswer<N>>;
type BegunCeremony = CallAnswer<'proofs.begin'>;
type CeremonyStatus = CallAnswer<'proofs.result'>;

type EndedState = 'cancelled' | 'expired' | 'refused';
export type ShownCeremony = {
  of: 'call' | 'registration';
  begun: BegunCeremony;
  state: 'waiting' | EndedState;
  /** Ends the ceremony without a proof. */
  leave: () => void;
  /** Begins another ceremony for the same call; null for a registration, which the person starts again themselves. */
  repeat: (() => void) | null;
};

/** The ceremony that the window shows, or null if it shows no ceremony. */
export const shownCeremony = createStore<ShownCeremony | null>(null);

/** Short, because the person waits for the result. */
const pollMs = 80;

const isEnded = ({ state }: CeremonyStatus): boolean => !['begun', 'open', 'checking'].includes(state);

/** Waits for the next poll, or until the person leaves. */
const waitForPoll = (left: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      left.removeEventListener('abort', stop);
      resolve();
    };
    const timer = setTimeout(stop, pollMs);
    left.addEventListener('abort', stop);
  });

/** Returns null if the person left. A lost connection ends the wait only when the time of the ceremony is over. */
const waitForEnd = async (call: CallOnce, { token, expiresAt }: BegunCeremony, left: AbortSignal) => {
  while (!left.aborted) {
    const status = await call('proofs.result', { token }).catch(() => null);
    if (left.aborted) return null;
    if (status !== null && isEnded(status)) return status;
    if (status === null && Date.now() > expiresAt) return { state: 'expired', proofId: null } as const;
    await waitForPoll(left);
  }
  return null;
};

/** What the person chose while the ceremony ran or after it ended. */
type Choice = 'repeat' | 'leave';
/** Null if the person did not confirm. Only the proof of a call has an id. */
type Confirmation = { proofId: string | null } | null;
type Ceremony = { of: ShownCeremony['of']; begin: () => Promise<BegunCeremony> };

type ShownStep = Pick<ShownCeremony, 'of' | 'begun' | 'state'>;
const showStep = (step: ShownStep, choose: (choice: Choice) => void): void =>
  shownCeremony.set({
    ...step,
    leave: () => choose('leave'),
    repeat: step.of === 'call' ? () => choose('repeat') : null,
  });

const waitForConfirmation = async (call: CallOnce, step: ShownStep): Promise<Choice | { proofId: string | null }> => {
  const left = new AbortController();
  let choice: Choice = 'leave';
  const choose = (chosen: Choice): void => {
    choice = chosen;
    left.abort();
  };
  showStep(step, choose);
  const { begun } = step;
  const end = await waitForEnd(call, begun, left.signal);
  if (end?.state === 'done') return { proofId: end.proofId };
  if (end === null) {
    // The ceremony ends by itself if this call fails.
    call('proofs.cancel', { token: begun.token }).catch(() => undefined);
    return choice;
  }
  const state = end.state === 'refused' || end.state === 'cancelled' ? end.state : 'expired';
  return new Promise((resolve) => showStep({ ...step, state }, resolve));
};

const runCeremony = async (call: CallOnce, ceremony: Ceremony): Promise<Confirmation> => {
  const begun = await ceremony.begin();
  const result = await waitForConfirmation(call, { of: ceremony.of, begun, state: 'waiting' });
  if (typeof result === 'object') return result;
  return result === 'leave' ? null : runCeremony(call, ceremony);
};

let last: Promise<unknown> = Promise.resolve();

/** Shows one ceremony after another, so that the person always knows what they confirm. */
const confirmInTurn = (call: CallOnce, ceremony: Ceremony): Promise<Confirmation> => {
  const confirmed = last.then(() => runCeremony(call, ceremony)).finally(() => shownCeremony.set(null));
  last = confirmed.catch(() => undefined);
  return confirmed;
};

/** Lets the person confirm exactly this call with this input. */
export const confirmCall = <N extends CallName>(call: CallOnce, name: N, input: CallInput<N>): Promise<Confirmation> =>
  confirmInTurn(call, { of: 'call', begin: () => call('proofs.begin', { call: name, input }) });

/** Shows a registration that `proofs.register` began. Returns whether the proof is set up. */
export const completeRegistration = async (call: CallOnce, begun: BegunCeremony): Promise<boolean> =>
  (await confirmInTurn(call, { of: 'registration', begin: async () => begun })) !== null;
