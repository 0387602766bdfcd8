import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { limits } from '../../../../contract/index.ts';
import { companion, CallError, sentenceOf } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import { openKnownPage } from '../../api/links.ts';
import { ExternalLink } from '../../components/ExternalLink.tsx';
import { ProblemLine } from '../../components/Page.tsx';
import { timeLeft, useTimeLeft } from '../../components/text/RelativeTime.tsx';
import styles from './selling.module.css';

/** Calls when the person comes back to the window; nothing is asked in between. */
const useReturn = (act: (() => void) | null): void => {
  useEffect(() => {
    if (!act) return;
    window.addEventListener('focus', act);
    return () => window.removeEventListener('focus', act);
  }, [act]);
};

type Page = { url: string; until: number };

const Open = ({ page, label }: { page: Page; label: string }) => {
  const left = useTimeLeft(page.until, 5_000);
  if (left <= 0) return <p role="status">{t('selling.page.over')}</p>;
  return (
    <div>
      <ExternalLink url={page.url} withAddress autoFocus>
        {label}
      </ExternalLink>
      <p className={styles.soft}>{t('selling.page.lasts', { time: timeLeft(left) })}</p>
    </div>
  );
};

type Props = {
  /** What the button says; what the link says. */
  ask: string;
  open: string;
  read: () => Promise<string | null>;
  /** Looks whether the page did what it is for. */
  onLook: () => void;
  busy: boolean;
  /** It is what the person most likely came for. */
  main?: boolean;
};

/**
 * A page where the person signs in. It is made on a click and opened by the person; it lasts ten minutes and a new one
 * takes its place. Whether it helped is looked up when the person comes back to the window, or says so.
 */
export const SignInPage = ({ ask, open, read, onLook, busy, main = false }: Props) => {
  const [page, setPage] = useState<Page | null>(null);
  useReturn(page ? onLook : null);
  const make = useMutation({
    mutationFn: async () => {
      const url = await read();
      if (url === null) throw new CallError({ code: 'NO_PAGE', sentence: t('selling.page.none') });
      return { url, until: Date.now() + limits.connectLinkMs };
    },
    onSuccess: (made) => {
      setPage(made);
      // A browser opens pages only on a click of its own; the link below is that click.
      if (companion().host === 'electron') openKnownPage(made.url);
    },
  });
  return (
    <div className={styles.page}>
      {page && <Open key={page.url} page={page} label={open} />}
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
      {make.error && <ProblemLine>{sentenceOf(make.error)}</ProblemLine>}
    </div>
  );
};
