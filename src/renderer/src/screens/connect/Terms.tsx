import type { ReactNode } from 'react';
import { Trans } from 'react-i18next';
import { ExternalLink } from '../../parts/ExternalLink.tsx';
import type { Challenge } from './useConnect.ts';

const Page = ({ url, children }: { url: string | null; children?: ReactNode }) =>
  url === null ? children : <ExternalLink url={url}>{children}</ExternalLink>;

/** What connecting agrees to; shown before the code is asked for. */
export const Terms = ({ challenge }: { challenge: Challenge }) => (
  <p>
    <Trans
      i18nKey="connect.terms"
      components={{
        email: <b>{challenge.email}</b>,
        terms: <Page url={challenge.termsUrl} />,
        privacy: <Page url={challenge.privacyUrl} />,
      }}
    />
  </p>
);
