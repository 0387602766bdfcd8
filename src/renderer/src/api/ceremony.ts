import type { CallAnswer, CallInput, CallName, CompanionWindow } from '../../../ipc/calls.ts';
import { createStore } from './createStore.ts';

type CallOnce = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallAnswer<N>>;
/** How a ceremony reaches the core. */
export type CeremonyHost = { call: CallOnce; onChanged: CompanionWindow['onChanged'] };
type BegunCeremony = CallAnswer<'proofs.begin'>;
type CeremonyStatus = CallAnswer<'proofs.result'>;

type EndedState = 'cancelled' | 'expired' | 'refused';
/**
 * Where the person confirms. `url` is null if the host shows the ceremony itself; `isOpened` is false if the browser
 * refused to open a window.
 */
type CeremonyPage = { url: string | null; isOpened: boolean };
export type ShownCeremony = {
  of: 'call' | 'registration';
  begun: BegunCeremony;
  state: 'waiting' | EndedState;
  /** Null for a lost ceremony. */
  page: CeremonyPage | null;
  /** Ends the ceremony without a proof. */
  leave: () => void;
  /** Begins another ceremony for the same call; null for a registration, which the person starts again themselves. */
  repeat: (() => void) | null;
};

/** The ceremony that the window shows, or null if it shows no ceremony. */
export const shownCeremony = createStore<ShownCeremony | null>(null);
/** True after this window has connected an account, until the person answers the offer. */
export const isProofOffered = createStore(false);

/** The core announces each end. The poll finds an expired ceremony, and an end during a lost connection. */
const pollMs = 1_000;

/** Returns the end of a ceremony; null if it runs. A lost connection ends it only when its time is over. */
const readEnd = async (call: CallOnce, { token, expiresAt }: BegunCeremony): Promise<CeremonyStatus | null> => {
  const status = await call('proofs.result', { token }).catch(() => null);
  if (status === null) return Date.now() > expiresAt ? { state: 'expired', proofId: null } : null;
  return ['begun', 'open', 'checking'].includes(status.state) ? null : status;
};

/** Returns null if the person left. */
const waitForEnd = (
  { call, onChanged }: CeremonyHost,
  begun: BegunCeremony,
  left: AbortSignal,
): Promise<CeremonyStatus | null> =>
  new Promise((resolve) => {
    const stop = (end: CeremonyStatus | null): void => {
      unsubscribe();
      clearInterval(timer);
      resolve(end);
    };
    const check = () => void readEnd(call, begun).then((end) => end && stop(end));
    const unsubscribe = onChanged((topic) => topic === 'ceremonies' && check());
    const timer = setInterval(check, pollMs);
    left.addEventListener('abort', () => stop(null));
    check();
  });

/** Large enough for a prompt with its fees. */
const pageSize = 'popup,width=520,height=720';

/**
 * Opens the page in a small window of its own. There, no program in this window can cover or change what it shows. If the
 * browser refuses to open a window by itself, the person opens it with a link.
 */
const openPage = async (call: CallOnce, { token }: BegunCeremony): Promise<CeremonyPage> => {
  const { url } = await call('proofs.open', { token });
  return { url, isOpened: url !== null && window.open(url, '_blank', pageSize) !== null };
};

/** Without any kind of proof, only a recovery in the settings helps. */
export const isLostCeremony = ({ of, begun }: Pick<ShownCeremony, 'of' | 'begun'>): boolean =>
  of === 'call' && begun.kinds.length === 0;

/** What the person chose while the ceremony ran or after it ended. */
type Choice = 'repeat' | 'leave';
/** Null if the person did not confirm. Only the proof of a call has an id. */
type Confirmation = { proofId: string | null } | null;
type Ceremony = { of: ShownCeremony['of']; begin: () => Promise<BegunCeremony> };

type ShownStep = Pick<ShownCeremony, 'of' | 'begun' | 'state' | 'page'>;
const showStep = (step: ShownStep, choose: (choice: Choice) => void): void =>
  shownCeremony.set({
    ...step,
    leave: () => choose('leave'),
    repeat: step.of === 'call' ? () => choose('repeat') : null,
  });

const waitForConfirmation = async (
  host: CeremonyHost,
  step: ShownStep,
): Promise<Choice | { proofId: string | null }> => {
  const left = new AbortController();
  let choice: Choice = 'leave';
  const choose = (chosen: Choice): void => {
    choice = chosen;
    left.abort();
  };
  showStep(step, choose);
  const { begun } = step;
  const end = await waitForEnd(host, begun, left.signal);
  if (end?.state === 'done') return { proofId: end.proofId };
  if (end === null) {
    // The ceremony ends by itself if this call fails.
    host.call('proofs.cancel', { token: begun.token }).catch(() => undefined);
    return choice;
  }
  const state = end.state === 'refused' || end.state === 'cancelled' ? end.state : 'expired';
  return new Promise((resolve) => showStep({ ...step, state }, resolve));
};

const runCeremony = async (host: CeremonyHost, ceremony: Ceremony): Promise<Confirmation> => {
  const { of } = ceremony;
  const begun = await ceremony.begin();
  // The page opens before this window draws its dialog, because the person waits for the page.
  const page = isLostCeremony({ of, begun }) ? null : await openPage(host.call, begun);
  const result = await waitForConfirmation(host, { of, begun, page, state: 'waiting' });
  if (typeof result === 'object') return result;
  return result === 'leave' ? null : runCeremony(host, ceremony);
};

let last: Promise<unknown> = Promise.resolve();

/** Shows one ceremony after another, so that the person always knows what they confirm. */
const confirmInTurn = (host: CeremonyHost, ceremony: Ceremony): Promise<Confirmation> => {
  const confirmed = last.then(() => runCeremony(host, ceremony)).finally(() => shownCeremony.set(null));
  last = confirmed.catch(() => undefined);
  return confirmed;
};

/** Lets the person confirm exactly this call with this input. */
export const confirmCall = <N extends CallName>(
  host: CeremonyHost,
  name: N,
  input: CallInput<N>,
): Promise<Confirmation> =>
  confirmInTurn(host, { of: 'call', begin: () => host.call('proofs.begin', { call: name, input }) });

/** Shows a registration that `proofs.register` began. Returns whether the proof is set up. */
export const completeRegistration = async (host: CeremonyHost, begun: BegunCeremony): Promise<boolean> =>
  (await confirmInTurn(host, { of: 'registration', begin: async () => begun })) !== null;
