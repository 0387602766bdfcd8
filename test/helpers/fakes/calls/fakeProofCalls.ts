import type { PresenceState } from '../../../../src/core/presence/presence.ts';
import type { ProofKind } from '../../../../src/core/presence/proof.ts';
import type { Settings } from '../../../../src/core/base/settings.ts';
import {
  calls,
  isProofNeeded,
  type CallAnswer,
  type CallName,
  type ParsedCallInput,
} from '../../../../src/ipc/calls.ts';
import { createMessage } from '../../../../src/i18n/message.ts';
import type { RequireProof } from '../../../../src/ipc/serveCalls.ts';
import type { Answers, Fake } from '../fakeCompanion.ts';
import { refuseCall } from '../fakeRefusal.ts';

type Proofs = Pick<Answers, Extract<keyof Answers, `proofs.${string}`>>;
type Status = CallAnswer<'proofs.result'>;
type Begun = CallAnswer<'proofs.begin'>;
/** `about` is the call with its input, in JSON; null for a registration. */
type Ceremony = { token: string; about: string | null; status: Status; finish: () => void };

const day = 24 * 3_600_000;
const none: PresenceState = {
  kinds: [],
  isSetUp: false,
  passkeys: [],
  pin: null,
  hasSystemPrompt: false,
  isSignInFresh: false,
  recoveryLeftMs: null,
  relaxedMinutes: 0,
  isLost: false,
};
const addedAt = Date.parse('2026-11-20T09:00:00Z');
const passkeys = [{ credentialId: 'key-1', label: 'Phone', addedAt }];

/** What the person has set up. */
export const proofScenarios = {
  none,
  passkey: { ...none, kinds: ['passkey'], isSetUp: true, passkeys },
  twoPasskeys: {
    ...none,
    ...{ kinds: ['passkey'], isSetUp: true },
    passkeys: [...passkeys, { credentialId: 'key-2', label: 'Security key in the drawer', addedAt: addedAt + day }],
  },
  pin: { ...none, kinds: ['pin'], isSetUp: true, pin: { keychain: 'system', waitLeftMs: 0 } },
  memoryPin: { ...none, kinds: ['pin'], isSetUp: true, pin: { keychain: 'memory', waitLeftMs: 0 } },
  waitingPin: { ...none, kinds: ['pin'], isSetUp: true, pin: { keychain: 'system', waitLeftMs: 290_000 } },
  systemPrompt: { ...none, kinds: ['system'], isSetUp: true, hasSystemPrompt: true },
  offersSystemPrompt: { ...none, hasSystemPrompt: true },
  signedIn: { ...none, isSignInFresh: true },
  lost: { ...none, isSetUp: true, isLost: true },
  recovering: { ...none, kinds: ['passkey'], isSetUp: true, passkeys, recoveryLeftMs: day - 60_000 },
} as const satisfies Record<string, PresenceState>;

const listKinds = ({ passkeys: keys, pin }: PresenceState, hasSystem: boolean): ProofKind[] => {
  const strong: ProofKind[] = [
    ...(keys.length > 0 ? ['passkey' as const] : []),
    ...(hasSystem ? ['system' as const] : []),
  ];
  return strong.length > 0 || pin === null ? strong : ['pin'];
};

const drawPage = (token: string): string =>
  URL.createObjectURL(
    new Blob(
      [`<!doctype html><html lang="en"><title>${token}</title><p>What you confirm</p><button>Confirm</button>`],
      {
        type: 'text/html',
      },
    ),
  );

/** The proofs, ceremonies and recovery of the fake core. A test ends the newest ceremony with `endCeremony`. */
export const createFakeProofs = (state: PresenceState, readSettings: () => Settings, onEnded: () => void) => {
  const ceremonies: Ceremony[] = [];
  const valid = new Map<string, string>();
  const proofs = { state, hasSystem: state.kinds.includes('system'), ceremonies };
  const begin = (about: string | null, finish: () => void = () => undefined): Begun => {
    const token = `token-${ceremonies.length + 1}`;
    ceremonies.push({ token, about, status: { state: 'begun', proofId: null }, finish });
    return { token, expiresAt: Date.now() + 60_000, kinds: [...proofs.state.kinds] };
  };
  const change = (changes: Partial<PresenceState>): PresenceState => {
    const next = { ...proofs.state, ...changes };
    const kinds = listKinds(next, proofs.hasSystem);
    return (proofs.state = { ...next, kinds, isSetUp: next.isLost || kinds.length > 0 });
  };
  /** A proof is valid once, for exactly one call. */
  const needsProof = <N extends CallName>(name: N, input: ParsedCallInput<N>): boolean =>
    isProofNeeded(name, input, {
      settings: readSettings(),
      relaxedMinutes: proofs.state.relaxedMinutes,
      canReconnect: () => false,
      widensAccess: (_assistantId, { paused, ...others }) => paused !== true || Object.keys(others).length > 0,
    });
  const requireProof: RequireProof = (name, input, proofId) => {
    if (!proofs.state.isSetUp || (proofId === undefined && !needsProof(name, input))) return;
    const about = JSON.stringify({ call: name, input });
    if (proofId === undefined || valid.get(proofId) !== about)
      refuseCall('PROOF_NEEDED', 'Confirm this with your fingerprint, key or PIN. Nothing has been done yet.', {
        says: createMessage('problems.PROOF_NEEDED'),
      });
    else valid.delete(proofId);
  };
  const endCeremony = (end: Status['state']): void => {
    const ceremony = ceremonies.at(-1);
    if (!ceremony || !['begun', 'open'].includes(ceremony.status.state)) throw new Error('No ceremony runs.');
    const proofId = end === 'done' && ceremony.about !== null ? `proof of ${ceremony.token}` : null;
    if (proofId !== null && ceremony.about !== null) valid.set(proofId, ceremony.about);
    if (end === 'done') ceremony.finish();
    ceremony.status = { state: end, proofId };
    onEnded();
  };
  return {
    ...proofs,
    begin,
    change,
    needsProof,
    requireProof,
    endCeremony,
    read: () => proofs.state,
    useSystem: (on: boolean) => (proofs.hasSystem = on),
  };
};

/** Calls about proofs of the person. */
export const createProofCalls = (fake: Fake): Proofs => {
  const { proofs } = fake;
  const find = (token: string) => proofs.ceremonies.find((ceremony) => ceremony.token === token);
  const register = (kind: ProofKind, label: string): void => {
    const { passkeys: keys } = proofs.read();
    const made = { credentialId: `key-${keys.length + 1}`, label, addedAt: Date.now() };
    if (kind === 'system') proofs.useSystem(true);
    proofs.change({
      ...(kind === 'passkey' ? { passkeys: [...keys, made], isLost: false } : {}),
      ...{ pin: kind === 'pin' ? { keychain: fake.state.keychain.kind, waitLeftMs: 0 } : null },
      ...{ isSignInFresh: false, recoveryLeftMs: null },
    });
    fake.changed('app');
  };
  return {
    'proofs.state': () => proofs.read(),
    'proofs.begin': ({ call, input }) => {
      const name = call as CallName;
      if (!proofs.needsProof(name, calls[name].input.parse(input)))
        return refuseCall('NO_PROOF_NEEDED', 'This needs no confirmation.');
      return proofs.begin(JSON.stringify({ call, input }));
    },
    'proofs.open': ({ token }) => {
      const found = find(token);
      if (!found || found.status.state !== 'begun')
        return refuseCall('CEREMONY_OVER', 'The time to confirm is over. Press the button again.');
      found.status = { state: 'open', proofId: null };
      return { url: fake.shell.update === null ? drawPage(token) : null };
    },
    'proofs.result': ({ token }) => find(token)?.status ?? { state: 'expired', proofId: null },
    'proofs.cancel': ({ token }) => {
      const found = find(token);
      if (found && ['begun', 'open'].includes(found.status.state)) found.status = { state: 'cancelled', proofId: null };
      return null;
    },
    'proofs.register': ({ kind, label }) => {
      if (!proofs.read().isSetUp && !proofs.read().isSignInFresh)
        return refuseCall('SIGN_IN_NEEDED', 'Sign in with a code from an e-mail first. It counts for ten minutes.');
      return proofs.begin(null, () => register(kind, label));
    },
    'proofs.remove': ({ kind, credentialId }) => {
      if (kind === 'system') proofs.useSystem(false);
      const keys = proofs.read().passkeys.filter((passkey) => passkey.credentialId !== credentialId);
      return proofs.change(kind === 'pin' ? { pin: null } : { passkeys: keys });
    },
    'proofs.relax': ({ minutes }) => {
      const changed = proofs.change({ relaxedMinutes: minutes });
      fake.changed('app');
      return changed;
    },
    'proofs.startSignIn': () => ({ challengeId: 'challenge' }),
    'proofs.signIn': ({ code }) =>
      code === '123456'
        ? proofs.change({ isSignInFresh: true })
        : refuseCall('INVALID_CODE', 'That code is not right, or it was used before. Look at the newest e-mail.', {
            says: createMessage('problems.INVALID_CODE.wrong'),
          }),
    'proofs.startRecovery': () => {
      if (!proofs.read().isSetUp) return refuseCall('NOT_FOUND', 'There is nothing to confirm with yet.');
      if (!proofs.read().isSignInFresh)
        return refuseCall('SIGN_IN_NEEDED', 'Sign in with a code from an e-mail first. It counts for ten minutes.');
      return proofs.change({ recoveryLeftMs: day, isSignInFresh: false });
    },
    'proofs.cancelRecovery': () => proofs.change({ recoveryLeftMs: null }),
  };
};
