import { IconAlertTriangle, IconFingerprint } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { getErrorSentence } from '../api/call.ts';
import { formatRemainingTime } from '../components/text/RelativeTime.tsx';
import { t } from '../i18n.ts';
import { useProofState, useRecoveryCancel } from '../screens/proof/useProofs.ts';
import { isProofOffered } from '../api/ceremony.ts';
import { TopLineBanner } from './TopLineBanner.tsx';

export const RecoveryBanner = ({ leftMs }: { leftMs: number }) => {
  const { mutate, isPending, error } = useRecoveryCancel();
  const action = { label: t('proof.recovery.cancel'), act: () => mutate(), loading: isPending };
  return (
    <TopLineBanner look icon={IconAlertTriangle} actions={[action]}>
      {t('proof.recovery.banner', { time: formatRemainingTime(leftMs) })} {error && getErrorSentence(error)}
    </TopLineBanner>
  );
};

export const LostProofBanner = () => {
  const [, go] = useLocation();
  return (
    <TopLineBanner look icon={IconAlertTriangle} actions={[{ label: t('app.settings'), act: () => go('/settings') }]}>
      {t('proof.lost')}
    </TopLineBanner>
  );
};

export const ProofOfferBanner = () => {
  const [, go] = useLocation();
  const answer = (): void => isProofOffered.set(false);
  const setUp = (): void => {
    answer();
    go('/settings');
  };
  return (
    <TopLineBanner
      icon={IconFingerprint}
      actions={[
        { label: t('proof.offer.setUp'), act: setUp },
        { label: t('approvals.notNow'), act: answer, quiet: true },
      ]}
    >
      {t('proof.offer.connected')}
    </TopLineBanner>
  );
};

export type ProofNotice = { kind: 'recovery'; leftMs: number } | { kind: 'lost' | 'offer' };

/** Returns what the person must know about their proofs on every screen. */
export const useProofNotice = (isConnected: boolean): ProofNotice | null => {
  const state = useProofState();
  const isOffered = useSyncExternalStore(isProofOffered.subscribe, isProofOffered.get);
  if (!state) return null;
  const { recoveryLeftMs, isLost, isSetUp } = state;
  if (recoveryLeftMs !== null) return { kind: 'recovery', leftMs: recoveryLeftMs };
  if (isLost) return { kind: 'lost' };
  return isOffered && isConnected && !isSetUp ? { kind: 'offer' } : null;
};
