import type { CallAnswer, CallInput, CallName } from '../../../ipc/calls.ts';
import { createStore } from './createStore.ts';

type CallOnce = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallAnswer<N>>;
type BegunCeremony = CallAnswer<'proofs.begin'>;
type CeremonyStatus = CallAnswer<'proofs.result'>;

type CeremonyPlace = 'frame' | 'tab';
type EndedState = 'cancelled' | 'expired' | 'refused';
export type ShownCeremony = {
  of: 'call' | 'registration';
  begun: BegunCeremony;
  state: 'waiting' | EndedState;
  place: CeremonyPlace;
  /** Asks the core at once whether the ceremony has ended. */
  check: () => void;
  /** Ends the ceremony without a proof. */
  leave: () => void;
  /** Begins another ceremony for the same call; null for a registration, which the person starts again themselves. */
  repeat: ((place: CeremonyPlace) => void) | null;
};

/** The ceremony that the window shows, or null if it shows no ceremony. */
export const shownCeremony = createStore<ShownCeremony | null>(null);

const pollMs = 150;

const isEnded = ({ state }: CeremonyStatus): boolean => !['begun', 'open', 'checking'].includes(state);

/** Waits for the next poll, or until the page says that it has ended, or the person leaves. */
const waitForPoll = (left: AbortSignal, checks: EventTarget): Promise<void> =>
  new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      left.removeEventListener('abort', stop);
      checks.removeEventListener('check', stop);
      resolve();
    };
    const timer = setTimeout(stop, pollMs);
    left.addEventListener('abort', stop);
    checks.addEventListener('check', stop);
  });

/** Returns null if the person left. A lost connection ends the wait only when the time of the ceremony is over. */
const waitForEnd = async (
  call: CallOnce,
  { token, expiresAt }: BegunCeremony,
  left: AbortSignal,
  checks: EventTarget,
) => {
  while (!left.aborted) {
    const status = await call('proofs.result', { token }).catch(() => null);
    if (left.aborted) return null;
    if (status !== null && isEnded(status)) return status;
    if (status === null && Date.now() > expiresAt) return { state: 'expired', proofId: null } as const;
    await waitForPoll(left, checks);
  }
  return null;
};

/** What the person chose while the ceremony ran or after it ended: a place for another ceremony, or to leave. */
type Choice = CeremonyPlace | 'leave';
/** Null if the person did not confirm. Only the proof of a call has an id. */
type Confirmation = { proofId: string | null } | null;
type Ceremony = { of: ShownCeremony['of']; begin: () => Promise<BegunCeremony> };

type ShownStep = Pick<ShownCeremony, 'of' | 'begun' | 'state' | 'place'>;
const showStep = (step: ShownStep, choose: (choice: Choice) => void, check = (): void => undefined): void =>
  shownCeremony.set({ ...step, check, leave: () => choose('leave'), repeat: step.of === 'call' ? choose : null });

const waitForConfirmation = async (call: CallOnce, step: ShownStep): Promise<Choice | { proofId: string | null }> => {
  const left = new AbortController();
  let choice: Choice = 'leave';
  const checks = new EventTarget();
  const choose = (chosen: Choice): void => {
    choice = chosen;
    left.abort();
  };
  showStep(step, choose, () => void checks.dispatchEvent(new Event('check')));
  const { begun } = step;
  const end = await waitForEnd(call, begun, left.signal, checks);
  if (end?.state === 'done') return { proofId: end.proofId };
  if (end === null) {
    // The ceremony ends by itself if this call fails.
    call('proofs.cancel', { token: begun.token }).catch(() => undefined);
    return choice;
  }
  const state = end.state === 'refused' || end.state === 'cancelled' ? end.state : 'expired';
  return new Promise((resolve) => showStep({ ...step, state }, resolve));
};

const runCeremony = async (call: CallOnce, ceremony: Ceremony, place: CeremonyPlace): Promise<Confirmation> => {
  const begun = await ceremony.begin();
  const result = await waitForConfirmation(call, { of: ceremony.of, begun, state: 'waiting', place });
  if (typeof result === 'object') return result;
  return result === 'leave' ? null : runCeremony(call, ceremony, result);
};

let last: Promise<unknown> = Promise.resolve();

/** Shows one ceremony after another, so that the person always knows what they confirm. */
const confirmInTurn = (call: CallOnce, ceremony: Ceremony, place: CeremonyPlace): Promise<Confirmation> => {
  const confirmed = last.then(() => runCeremony(call, ceremony, place)).finally(() => shownCeremony.set(null));
  last = confirmed.catch(() => undefined);
  return confirmed;
};

/** In a frame, the page confirms nothing unless the browser reports that the window does not cover it. */
const choosePlace = (): CeremonyPlace => ('isVisible' in IntersectionObserverEntry.prototype ? 'frame' : 'tab');

/** Lets the person confirm exactly this call with this input. */
export const confirmCall = <N extends CallName>(call: CallOnce, name: N, input: CallInput<N>): Promise<Confirmation> =>
  confirmInTurn(call, { of: 'call', begin: () => call('proofs.begin', { call: name, input }) }, choosePlace());

/** Shows a registration that `proofs.register` began. Returns whether the proof is set up. */
export const completeRegistration = async (call: CallOnce, begun: BegunCeremony): Promise<boolean> =>
  (await confirmInTurn(call, { of: 'registration', begin: async () => begun }, 'tab')) !== null;
