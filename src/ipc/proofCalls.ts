import * as z from 'zod';
import type { CeremonyStatus } from '../core/presence/ceremonies.ts';
import type { BegunCeremony, PresenceState } from '../core/presence/presence.ts';
import type { ProofKind, RelaxedMinutes } from '../core/presence/proof.ts';
import { createEmptyInputSchema, defineIpcCall, idShape } from './call.ts';

const proofKinds = ['passkey', 'system', 'pin'] as const satisfies readonly ProofKind[];
const relaxedTimes = [0, 5, 15] as const satisfies readonly RelaxedMinutes[];
const ceremonyToken = z.string().max(100);

/** The calls with which a window lets the person confirm something. The ceremony page itself uses no call. */
export const proofCalls = {
  'proofs.state': defineIpcCall('none', createEmptyInputSchema).answering<PresenceState>(),
  /**
   * Begins a ceremony in which the person confirms this call with this input. A call that needs a proof throws
   * PROOF_NEEDED and is repeated with the id of the proof.
   */
  'proofs.begin': defineIpcCall('none', () =>
    z.object({ call: z.string().max(100), input: z.looseObject({}).prefault({}) }),
  ).answering<BegunCeremony>(),
  /**
   * Opens the page of a ceremony. The window shows `url` in a frame, and for a registration in a tab; null if the host
   * shows the ceremony itself.
   */
  'proofs.open': defineIpcCall('none', () => z.object({ token: ceremonyToken })).answering<{ url: string | null }>(),
  'proofs.result': defineIpcCall('none', () => z.object({ token: ceremonyToken })).answering<CeremonyStatus>(),
  'proofs.cancel': defineIpcCall('none', () => z.object({ token: ceremonyToken })).answering<null>(),
  /** Begins the ceremony that sets up a proof. The first one needs a sign-in of the last ten minutes. */
  'proofs.register': defineIpcCall('proof', () =>
    z.object({ kind: z.enum(proofKinds), label: z.string().trim().max(100).default('') }),
  ).answering<BegunCeremony>(),
  'proofs.remove': defineIpcCall('proof', () =>
    z.object({ kind: z.enum(proofKinds), credentialId: z.string().max(2_000).nullable().default(null) }),
  ).answering<PresenceState>(),
  /** Sets for how long a proof counts for the person's own acts. Less time needs no proof. */
  'proofs.relax': defineIpcCall(
    'proof',
    () => z.object({ minutes: z.literal(relaxedTimes) }),
    ({ minutes }, { relaxedMinutes }) => minutes <= relaxedMinutes,
  ).answering<PresenceState>(),
  /** Sends a code to the e-mail address of the connected account. */
  'proofs.startSignIn': defineIpcCall('none', createEmptyInputSchema).answering<{ challengeId: string }>(),
  /** Connects the same account again with the code, and revokes the previous key. */
  'proofs.signIn': defineIpcCall('none', () =>
    z.object({ challengeId: idShape, code: z.string().max(100) }),
  ).answering<PresenceState>(),
  'proofs.startRecovery': defineIpcCall('none', createEmptyInputSchema).answering<PresenceState>(),
  'proofs.cancelRecovery': defineIpcCall('none', createEmptyInputSchema).answering<PresenceState>(),
};
