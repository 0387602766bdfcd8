import { createProblem } from '../base/problem.ts';
import type { Ceremony } from './ceremonies.ts';
import { recordRefusedProof, type ConfirmContext } from './confirm.ts';
import { verifyRegistration, type RegistrationResponse } from './passkeys.ts';
import type { ProofKind } from './proof.ts';

export type RegisterContext = ConfirmContext & {
  /** Ends the period after a sign-in in which a proof can be set up. */
  endSignIn: () => void;
};

const requireLabel = ({ drawn }: Ceremony, kind: ProofKind): string => {
  if (drawn.of !== 'registration' || drawn.kind !== kind) throw createProblem('PROOF_KIND_OFF');
  return drawn.label;
};

/** The stronger proof turns the PIN off, so that the weaker proof is never enough. */
const removePin = async ({ store, pin, record, log }: RegisterContext): Promise<void> => {
  if (store.read().pin === null) return;
  record('proof.removed', { kind: 'pin', why: 'stronger' });
  await pin.remove().catch(() => log('warn', 'the PIN could not be removed from the keychain'));
};

/** Without its file, the ledger must not say that the proof is set up. */
const storeOrTakeBack = ({ record }: RegisterContext, facts: Record<string, unknown>, store: () => void): void => {
  try {
    store();
  } catch (error) {
    record('proof.removed', { ...facts, why: 'notStored' });
    throw error;
  }
};

const runRegistration = (
  context: RegisterContext,
  token: string,
  kind: ProofKind,
  /** Returns the facts of the ledger row. */
  register: (ceremony: Ceremony, label: string) => Promise<{ facts: Record<string, unknown>; store: () => void }>,
): Promise<void> =>
  context.ceremonies.runCheck(token, async (ceremony) => {
    const { record, changed, ceremonies, endSignIn } = context;
    try {
      const label = requireLabel(ceremony, kind);
      const { facts, store } = await register(ceremony, label);
      // The row comes first: if the file is lost later, the ledger knows that a proof was set up.
      record('proof.added', { kind, label, ...facts });
      storeOrTakeBack(context, { kind, ...facts }, store);
      if (kind !== 'pin') await removePin(context);
    } catch (error) {
      recordRefusedProof(context, ceremony, kind, error);
      throw error;
    }
    // Another registration that the same sign-in allowed might not be the person's.
    ceremonies.cancelAll();
    endSignIn();
    context.cancelRecovery();
    changed('app');
  });

/** Each function ends one ceremony with a new proof. */
export const createRegistrations = (context: RegisterContext) => ({
  /** Throws PROOF_REFUSED or CEREMONY_OVER. */
  registerPasskey: (token: string, response: RegistrationResponse): Promise<void> =>
    runRegistration(context, token, 'passkey', async ({ challenge, place }, label) => {
      const { store, clock } = context;
      const made = await verifyRegistration({ challenge, origin: place?.origin ?? '' }, response);
      const { credentialId, publicKey } = made;
      if (store.read().passkeys.some((passkey) => passkey.credentialId === credentialId))
        throw createProblem('PROOF_REFUSED');
      return {
        facts: { credentialId, publicKey },
        store: () =>
          store.change({
            passkeys: [...store.read().passkeys, { ...made, label, addedAt: clock.now() }],
            isLost: false,
          }),
      };
    }),
  /** Asks once, so that a dialog that does not work cannot lock the person out. */
  registerSystemPrompt: (token: string): Promise<void> =>
    runRegistration(context, token, 'system', async ({ drawn }) => {
      if ((await context.systemPrompt?.confirm(drawn)) !== true) throw createProblem('PROOF_REFUSED');
      return { facts: {}, store: () => context.store.change({ hasSystemPrompt: true }) };
    }),
  /** Throws PIN_TOO_SHORT, PIN_HIDDEN_CHARACTER or CEREMONY_OVER. */
  registerPin: (token: string, pin: string): Promise<void> =>
    runRegistration(context, token, 'pin', async () => {
      const { passkeys, hasSystemPrompt } = context.store.read();
      if (passkeys.length > 0 || hasSystemPrompt) throw createProblem('PROOF_KIND_OFF');
      const keychain = await context.pin.set(pin);
      return { facts: { keychain }, store: () => undefined };
    }),
});
