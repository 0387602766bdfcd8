import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, companion } from '../../../api/call.ts';
import { sentenceOf } from '../../../api/callError.ts';
import { read } from '../../../api/perform.ts';
import { waitInWords } from '../../../parts/ago.ts';
import { ExternalLink } from '../../../parts/ExternalLink.tsx';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { useNow } from '../../../parts/useNow.ts';
import type { Fix } from './useFix.ts';
import { t } from '../../../i18n/t.ts';
import styles from './fix.module.css';

/** The marketplace's own sign-in page, which lasts ten minutes; then the publish again. */
export const SignInStep = ({ fix, label }: { fix: Fix; label: string }) => {
  const page = useMutation({
    mutationFn: () => read('readMarketAuthUrl', {}),
    // A browser opens pages only on a click of its own; the link below is that click.
    onSuccess: ({ authUrl }) => {
      if (companion().host === 'electron') void call('app.open', { url: authUrl });
    },
  });
  return (
    <div className={styles.step}>
      {page.data ? (
        <>
          <p>
            <ExternalLink url={page.data.authUrl} withAddress>
              {t('approvals.fix.openSignIn')}
            </ExternalLink>
          </p>
          <Button variant="ink" loading={fix.busy} onClick={() => fix.publish()}>
            {t('approvals.fix.signedIn')}
          </Button>
        </>
      ) : (
        <Button loading={page.isPending} onClick={() => page.mutate()}>
          {label}…
        </Button>
      )}
      {page.error && <ProblemLine>{sentenceOf(page.error)}</ProblemLine>}
    </div>
  );
};

/** Publishes again once the wait is over. */
export const WaitStep = ({ fix, since, ms }: { fix: Fix; since: number | null; ms: number }) => {
  const now = useNow(1_000);
  const [from] = useState(() => since ?? Date.now());
  const left = Math.max(0, from + ms - now);
  return (
    <Button loading={fix.busy} disabled={left > 0} onClick={() => fix.publish()}>
      {left > 0
        ? t('approvals.fix.publishAgainIn', { wait: waitInWords(left / 1_000) })
        : t('approvals.fix.publishAgain')}
    </Button>
  );
};
