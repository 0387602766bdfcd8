import { ExternalLink } from '../../parts/ExternalLink.tsx';
import type { Challenge } from './useConnect.ts';

/** What connecting agrees to; shown before the code is asked for. */
export const Terms = ({ challenge }: { challenge: Challenge }) => (
  <p>
    A code was e-mailed to <b>{challenge.email}</b>. Connecting means agreeing to the{' '}
    {challenge.termsUrl ? <ExternalLink url={challenge.termsUrl}>terms</ExternalLink> : 'terms'} and the{' '}
    {challenge.privacyUrl ? <ExternalLink url={challenge.privacyUrl}>privacy policy</ExternalLink> : 'privacy policy'}{' '}
    of the service. If there is no account for this address yet, a free one is created.
  </p>
);
