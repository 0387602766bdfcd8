import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { callCore, CallError, getCompanionWindow, registerProof } from '../../api/call.ts';
import { useCoreQuery } from '../../api/useCall.ts';

export type ProofState = CallAnswer<'proofs.state'>;

/** A change of the topic `app` reads the state again. */
const proofsKey = ['app', 'proofs'] as const;
const refetchMs = 30_000;

const endsByTime = ({ isSignInFresh, recoveryLeftMs, pin }: ProofState): boolean =>
  isSignInFresh || recoveryLeftMs !== null || (pin?.waitLeftMs ?? 0) > 0;

const useProofQuery = () =>
  useCoreQuery(
    proofsKey,
    'proofs.state',
    {},
    { refetchInterval: ({ state }) => (state.data && endsByTime(state.data) ? refetchMs : false) },
  );

export const useProofState = (): ProofState | undefined => useProofQuery().data;

/** Returns whether a recovery of the proofs runs; undefined until the core has answered. */
export const useIsRecovering = (): boolean | undefined => {
  const { data, isPending } = useProofQuery();
  return isPending ? undefined : (data?.recoveryLeftMs ?? null) !== null;
};

/** Returns the time until which no PIN can be entered; null if one can be entered now. */
export const usePinWaitEnd = (): number | null => {
  const { data, dataUpdatedAt } = useProofQuery();
  const waitLeftMs = data?.pin?.waitLeftMs ?? 0;
  return waitLeftMs > 0 ? dataUpdatedAt + waitLeftMs : null;
};

/** A change that the core answers with the new state of the proofs. */
export const useProofChange = <Input = void>(change: (input: Input) => Promise<ProofState>, onDone?: () => void) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (state) => {
      client.setQueryData(proofsKey, state);
      onDone?.();
    },
    onSettled: () => client.invalidateQueries({ queryKey: proofsKey }),
  });
};

export const useProofRegistration = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: registerProof,
    onSettled: () => client.invalidateQueries({ queryKey: proofsKey }),
  });
};

export const useProofRemoval = () =>
  useProofChange((proof: Parameters<typeof callCore<'proofs.remove'>>[1]) => callCore('proofs.remove', proof));

export const useProofRelaxing = () =>
  useProofChange((minutes: ProofState['relaxedMinutes']) => callCore('proofs.relax', { minutes }));

export const useRecoveryStart = () => useProofChange(() => callCore('proofs.startRecovery', {}));
export const useRecoveryCancel = () => useProofChange(() => callCore('proofs.cancelRecovery', {}));

/** Where the desktop app itself cannot use passkeys, it opens the page in the person's browser. */
export const canUsePasskeys = (): boolean =>
  getCompanionWindow().host === 'electron' || typeof window.PublicKeyCredential === 'function';

export const isSignInMissing = (error: unknown): boolean =>
  error instanceof CallError && error.code === 'SIGN_IN_NEEDED';
