import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { limits } from '../../../../contract/index.ts';
import { getCompanionWindow, CallError } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import { openKnownPage } from '../../api/links.ts';
import { ExternalLink } from '../../components/ExternalLink.tsx';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { formatTimeLeft, useTimeLeft } from '../../components/text/RelativeTime.tsx';
import styles from './selling.module.css';

const useWindowFocusEffect = (act: (() => void) | null): void => {
  useEffect(() => {
    if (!act) return;
    window.addEventListener('focus', act);
    return () => window.removeEventListener('focus', act);
  }, [act]);
};

type SignInLink = { url: string; until: number };

const SignInLinkView = ({ page, label }: { page: SignInLink; label: string }) => {
  const left = useTimeLeft(page.until, 5_000);
  if (left <= 0) return <p role="status">{t('selling.page.over')}</p>;
  return (
    <div>
      <ExternalLink url={page.url} withAddress autoFocus>
        {label}
      </ExternalLink>
      <p className={styles.soft}>{t('selling.page.lasts', { time: formatTimeLeft(left) })}</p>
    </div>
  );
};

type SignInPageProps = {
  /** The labels of the button and of the link below it. */
  ask: string;
  open: string;
  read: () => Promise<string | null>;
  /** Checks whether the sign-in succeeded. */
  onLook: () => void;
  busy: boolean;
  main?: boolean;
};

/**
 * A link is valid for ten minutes, or until a new link is created. The result is checked when the window gets the
 * focus.
 */
export const SignInPageSection = ({ ask, open, read, onLook, busy, main = false }: SignInPageProps) => {
  const [page, setPage] = useState<SignInLink | null>(null);
  useWindowFocusEffect(page ? onLook : null);
  const make = useMutation({
    mutationFn: async () => {
      const url = await read();
      if (url === null) throw new CallError({ code: 'NO_PAGE', sentence: t('selling.page.none') });
      return { url, until: Date.now() + limits.connectLinkMs };
    },
    onSuccess: (made) => {
      setPage(made);
      // Only the desktop app opens the page: a browser blocks a page that does not open during a click, so the person
      // uses the link below.
      if (getCompanionWindow().host === 'electron') openKnownPage(made.url);
    },
  });
  return (
    <div className={styles.page}>
      {page && <SignInLinkView key={page.url} page={page} label={open} />}
      <div className={styles.line}>
        {!page && (
          <Button variant={main ? 'ink' : 'default'} loading={make.isPending} onClick={() => make.mutate()}>
            {ask}
          </Button>
        )}
        <Button loading={busy} onClick={onLook}>
          {page ? t('selling.page.done') : t('selling.page.look')}
        </Button>
        {page && (
          <Button variant="quiet" loading={make.isPending} onClick={() => make.mutate()}>
            {t('selling.page.again')}
          </Button>
        )}
      </div>
      <ErrorLine error={make.error} />
    </div>
  );
};
