import { IconAlertTriangle, IconFingerprint } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { getErrorSentence } from '../api/call.ts';
import { formatRemainingTime } from '../components/text/RelativeTime.tsx';
import { t } from '../i18n.ts';
import { useProofState, useRecoveryCancel } from '../screens/proof/useProofs.ts';
import { isProofOffered } from './proofOffer.ts';
import { TopLineBanner } from './TopLineBanner.tsx';

const RecoveryBanner = ({ leftMs }: { leftMs: number }) => {
  const { mutate, isPending, error } = useRecoveryCancel();
  const action = { label: t('proof.recovery.cancel'), act: () => mutate(), loading: isPending };
  return (
    <TopLineBanner look icon={IconAlertTriangle} actions={[action]}>
      {t('proof.recovery.banner', { time: formatRemainingTime(leftMs) })} {error && getErrorSentence(error)}
    </TopLineBanner>
  );
};

const LostProofBanner = () => {
  const [, go] = useLocation();
  return (
    <TopLineBanner look icon={IconAlertTriangle} actions={[{ label: t('app.settings'), act: () => go('/settings') }]}>
      {t('proof.lost')}
    </TopLineBanner>
  );
};

const ProofOfferBanner = () => {
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

/** What the person must know about their proofs on every screen. */
export const ProofBanners = ({ isConnected }: { isConnected: boolean }) => {
  const state = useProofState();
  const isOffered = useSyncExternalStore(isProofOffered.subscribe, isProofOffered.get);
  if (!state) return null;
  const { recoveryLeftMs, isLost, isSetUp } = state;
  if (recoveryLeftMs !== null) return <RecoveryBanner leftMs={recoveryLeftMs} />;
  if (isLost) return <LostProofBanner />;
  return isOffered && isConnected && !isSetUp ? <ProofOfferBanner /> : null;
};
