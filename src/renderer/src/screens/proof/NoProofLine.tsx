import { Trans } from 'react-i18next';
import { Link } from 'wouter';
import { useProofState } from './useProofs.ts';

type Props = { of?: 'assistants' | 'pairing'; className?: string | undefined };

/** Says that no proof is set up, and where the person can set one up. */
export const NoProofLine = ({ of = 'assistants', className }: Props) => {
  const state = useProofState();
  if (!state || state.isSetUp) return null;
  return (
    <p className={className}>
      <Trans i18nKey={`proof.offer.${of}`} components={{ settings: <Link href="/settings" /> }} />
    </p>
  );
};
