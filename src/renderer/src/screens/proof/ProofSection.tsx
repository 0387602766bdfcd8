import { ProblemLine } from '../../components/ScreenPage.tsx';
import { t } from '../../i18n.ts';
import { SettingsSection } from '../settings/SettingsSection.tsx';
import { AddProof } from './AddProof.tsx';
import { ProofList } from './ProofList.tsx';
import { RecoveryStart } from './Recovery.tsx';
import { RelaxChoice } from './RelaxChoice.tsx';
import { SignInAgain } from './SignInAgain.tsx';
import { useProofState, type ProofState } from './useProofs.ts';

const ProofContent = ({ state }: { state: ProofState }) => {
  const { isSetUp, isLost, isSignInFresh, kinds, recoveryLeftMs } = state;
  return (
    <>
      {isLost && <ProblemLine>{t('proof.lost')}</ProblemLine>}
      {kinds.length > 0 && <ProofList state={state} />}
      {!isSetUp && <p>{t('proof.section.none')}</p>}
      {isSetUp || isSignInFresh ? !isLost && <AddProof state={state} /> : <SignInAgain why={t('proof.signIn.setUp')} />}
      {kinds.length > 0 && <RelaxChoice state={state} />}
      {isSetUp && recoveryLeftMs === null && <RecoveryStart key={String(isLost)} state={state} />}
    </>
  );
};

/** What the person set up to prove that it is them. */
export const ProofSection = () => {
  const state = useProofState();
  return (
    <SettingsSection title={t('proof.section.title')} help={t('proof.section.help')} isLoading={!state}>
      {state && <ProofContent state={state} />}
    </SettingsSection>
  );
};
