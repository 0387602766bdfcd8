import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { call } from '../../api/call.ts';

export type Challenge = CallAnswer<'connect.start'> & { email: string };

/** Connecting by an e-mailed code: ask for the code, then give it. */
export const useConnect = (onConnected: () => void) => {
  const client = useQueryClient();
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const start = useMutation({
    mutationFn: async (email: string) => ({ ...(await call('connect.start', { email })), email }),
    onSuccess: setChallenge,
  });
  const verify = useMutation({
    mutationFn: (code: string) =>
      call('connect.verify', { challengeId: challenge?.challengeId ?? '', email: challenge?.email ?? '', code }),
    onSuccess: (state) => {
      client.setQueryData(['app'], state);
      onConnected();
    },
  });
  const restart = () => {
    setChallenge(null);
    start.reset();
    verify.reset();
  };
  return { challenge, start, verify, restart };
};
