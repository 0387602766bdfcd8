import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/ports.ts';
import { createProblem } from '../base/problem.ts';
import type { Asker } from '../base/request.ts';
import type { Message } from '../../i18n/message.ts';
import type { Challenge, Total, ProofKind } from './proof.ts';
import type { PresenceEvidence } from './windowSessions.ts';

type DrawnLabel = { label: string; labelSays?: Message | undefined };
type DrawnFact = DrawnLabel & { value: string; says?: Message | undefined };
type DrawnChange = DrawnLabel & {
  before: string;
  after: string;
  says?: { before?: Message | undefined; after?: Message | undefined } | undefined;
};

/** One approval on the ceremony page. Most texts come from a listing, so the page shows them as foreign text. */
export type DrawnApproval = {
  approvalId: string;
  asker: Asker;
  act: string;
  actSays?: Message | undefined;
  title: string | null;
  /** What matters most besides the title, such as the price. */
  mainFact: string | null;
  mainFactSays?: Message | undefined;
  changes: DrawnChange[];
  /** The values that the request sends. */
  facts: DrawnFact[];
  photoUrl: string | null;
};

export type ShownEvidence = { approvalId: string; evidence: PresenceEvidence };

/** What a ceremony for approvals signs and shows, and how a window has shown them. */
export type PromptsToProve = {
  approvals: Challenge['approvals'];
  total: Total;
  account: string;
  evidence: ShownEvidence[];
  drawn: DrawnApproval[];
};

/** The names of the ids in the input of a call, and further facts about the call, by field. */
export type CallSubjects = Readonly<Record<string, string>>;

/** What the ceremony page shows. It comes from the core, because a program might have changed the window. */
export type DrawnCeremony =
  | { of: 'approvals'; approvals: DrawnApproval[]; total: Total }
  | { of: 'call'; call: string; input: unknown; subjects: CallSubjects }
  | { of: 'registration'; kind: ProofKind; label: string };

/** The address of the ceremony page. */
export type CeremonyPlace = { origin: string };

type CeremonyState = 'begun' | 'open' | 'checking' | 'done' | 'refused' | 'cancelled';

export type Ceremony = {
  token: string;
  challenge: Challenge;
  drawn: DrawnCeremony;
  evidence: readonly ShownEvidence[];
  untilMs: number;
  state: CeremonyState;
  place: CeremonyPlace | null;
  proofId: string | null;
  /** The window session that began the ceremony. */
  windowSession: string | undefined;
};

export type CeremonyStatus = { state: CeremonyState | 'expired'; proofId: string | null };

const maxCeremonyMs = 60_000;
/** How long the window can read how a ceremony ended. */
const keptMs = 60_000;
/** A window shows one ceremony after another, so it never needs more. */
const maxOpenPerWindow = 5;
const maxPerWindow = 20;

type CeremonyFault = 'unknown' | 'expired' | 'cancelled' | 'reused' | 'notOpen';

type NewCeremony = {
  challenge: Omit<Challenge, 'nonce' | 'expiresAt'>;
  drawn: DrawnCeremony;
  evidence: readonly ShownEvidence[];
  windowSession: string | undefined;
};

/** The ceremonies of this run. A token opens one page once, and its nonce is part of one challenge. */
export type Ceremonies = {
  /** Cancels the oldest open ceremony of a window that has too many, and forgets its oldest ones. */
  begin: (made: NewCeremony) => Ceremony;
  /** Opens the page of a token, which is possible once. Throws CEREMONY_OVER. */
  open: (token: string, place: CeremonyPlace) => Ceremony;
  /**
   * Returns whether the page of a token was opened before, such as by a reload, and the ceremony is not done. Cancels
   * that ceremony, so that its window offers another one.
   */
  cancelReopened: (token: string) => boolean;
  /** Runs the one check of an open ceremony. If `check` throws, `keepsOpen` says whether the check can be repeated. */
  runCheck: <T>(
    token: string,
    check: (ceremony: Ceremony, place: CeremonyPlace) => Promise<T>,
    keepsOpen?: (error: unknown) => boolean,
  ) => Promise<T>;
  find: (token: string) => Ceremony | null;
  /** Throws CEREMONY_OVER unless the ceremony is in this state. */
  require: (token: string, state: CeremonyState) => Ceremony;
  cancel: (token: string) => void;
  readStatus: (token: string) => CeremonyStatus;
  /** Ends all ceremonies that are not done. */
  cancelAll: () => void;
};

type CeremoniesState = {
  clock: Pick<Clock, 'now' | 'elapsedMs'>;
  ceremonies: Map<string, Ceremony>;
  recordFault: (fault: CeremonyFault, ceremony: Ceremony | null) => void;
  onEnded: () => void;
};

const isExpired = ({ clock }: CeremoniesState, { untilMs }: Ceremony): boolean => clock.elapsedMs() >= untilMs;

const refuseCeremony = ({ recordFault }: CeremoniesState, fault: CeremonyFault, ceremony: Ceremony | null): never => {
  recordFault(fault, ceremony);
  throw createProblem('CEREMONY_OVER');
};

const faults: Partial<Record<CeremonyState, CeremonyFault>> = { begun: 'notOpen', cancelled: 'cancelled' };

const requireCeremony = (state: CeremoniesState, token: string, wanted: CeremonyState): Ceremony => {
  const found = state.ceremonies.get(token);
  if (!found) return refuseCeremony(state, 'unknown', null);
  if (isExpired(state, found)) return refuseCeremony(state, 'expired', found);
  if (found.state !== wanted) return refuseCeremony(state, faults[found.state] ?? 'reused', found);
  return found;
};

const isOpen = (state: CeremoniesState, ceremony: Ceremony): boolean =>
  (ceremony.state === 'begun' || ceremony.state === 'open') && !isExpired(state, ceremony);

const dropOld = ({ clock, ceremonies }: CeremoniesState): void => {
  for (const [token, { untilMs }] of ceremonies) if (clock.elapsedMs() >= untilMs + keptMs) ceremonies.delete(token);
};

/** Each window has its own limits, so that no window ends the ceremonies of another one. */
const cancelSurplus = (state: CeremoniesState, windowSession: string | undefined): void => {
  const all = [...state.ceremonies.values()].filter((ceremony) => ceremony.windowSession === windowSession);
  const open = all.filter((ceremony) => isOpen(state, ceremony));
  for (const oldest of open.slice(0, Math.max(0, open.length - maxOpenPerWindow))) cancelIfOpen(state, oldest);
  for (const { token } of all.slice(0, Math.max(0, all.length - maxPerWindow))) state.ceremonies.delete(token);
};

const cancelIfOpen = (state: CeremoniesState, ceremony: Ceremony): void => {
  if (ceremony.state !== 'begun' && ceremony.state !== 'open') return;
  ceremony.state = 'cancelled';
  state.onEnded();
};

const cancelReopened = (state: CeremoniesState, token: string): boolean => {
  const found = state.ceremonies.get(token);
  if (found === undefined || found.place === null || found.state === 'done' || isExpired(state, found)) return false;
  cancelIfOpen(state, found);
  return true;
};

const createCeremony = (
  { now, elapsedMs }: CeremoniesState['clock'],
  { challenge, ...made }: NewCeremony,
): Ceremony => ({
  ...made,
  token: randomBytes(32).toString('base64url'),
  challenge: { ...challenge, nonce: randomBytes(32).toString('base64url'), expiresAt: now() + maxCeremonyMs },
  untilMs: elapsedMs() + maxCeremonyMs,
  state: 'begun',
  place: null,
  proofId: null,
});

const runCeremonyCheck = async <T>(
  state: CeremoniesState,
  token: string,
  check: (ceremony: Ceremony, place: CeremonyPlace) => Promise<T>,
  keepsOpen: (error: unknown) => boolean,
): Promise<T> => {
  const found = requireCeremony(state, token, 'open');
  if (found.place === null) return refuseCeremony(state, 'notOpen', found);
  found.state = 'checking';
  try {
    const result = await check(found, found.place);
    found.state = 'done';
    return result;
  } catch (error) {
    found.state = keepsOpen(error) ? 'open' : 'refused';
    throw error;
  } finally {
    if (found.state !== 'open') state.onEnded();
  }
};

export const createCeremonies = (
  clock: CeremoniesState['clock'],
  listeners: Pick<CeremoniesState, 'recordFault' | 'onEnded'>,
): Ceremonies => {
  const ceremonies = new Map<string, Ceremony>();
  const state: CeremoniesState = { clock, ceremonies, ...listeners };
  return {
    begin: (made) => {
      const ceremony = createCeremony(clock, made);
      dropOld(state);
      ceremonies.set(ceremony.token, ceremony);
      cancelSurplus(state, ceremony.windowSession);
      return ceremony;
    },
    open: (token, place) => {
      const found = requireCeremony(state, token, 'begun');
      found.state = 'open';
      found.place = place;
      return found;
    },
    cancelReopened: (token) => cancelReopened(state, token),
    runCheck: (token, check, keepsOpen = () => false) => runCeremonyCheck(state, token, check, keepsOpen),
    find: (token) => ceremonies.get(token) ?? null,
    require: (token, wanted) => requireCeremony(state, token, wanted),
    cancel: (token) => {
      const found = ceremonies.get(token);
      if (found) cancelIfOpen(state, found);
    },
    readStatus: (token) => {
      const found = ceremonies.get(token);
      if (!found) return { state: 'expired', proofId: null };
      const isOver = found.state !== 'done' && isExpired(state, found);
      return { state: isOver ? 'expired' : found.state, proofId: found.proofId };
    },
    cancelAll: () => {
      for (const ceremony of ceremonies.values()) if (ceremony.state !== 'done') ceremony.state = 'cancelled';
      state.onEnded();
    },
  };
};
