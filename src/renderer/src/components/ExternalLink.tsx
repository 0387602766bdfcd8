import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react';
import { getCompanionWindow } from '../api/call.ts';
import { openKnownPage, useHostConfirmation, usePageLink } from '../api/links.ts';
import { t } from '../i18n.ts';
import { useOfferedAction, type ActId } from './acts/offeredActs.tsx';
import { ErrorLine } from './ScreenPage.tsx';
import styles from './links.module.css';

type Props = {
  url: string;
  children: ReactNode;
  withAddress?: boolean;
  withHost?: boolean;
  /** Looks like a button, for the most likely next step of a prompt. */
  asButton?: boolean;
  autoFocus?: boolean;
  offer?: { act: ActId; name: string };
};

type KnownPageProps = Pick<Props, 'url' | 'children' | 'asButton' | 'autoFocus' | 'offer'>;

const KnownPageLink = ({ url, children, asButton = false, autoFocus = false, offer }: KnownPageProps) => {
  const anchor = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (autoFocus) anchor.current?.focus();
  }, [autoFocus]);
  useOfferedAction(offer ? { ...offer, run: () => anchor.current?.click() } : null);
  const link = {
    ref: anchor,
    href: url,
    target: '_blank',
    rel: 'noopener noreferrer',
    onClick: (event: MouseEvent) => {
      if (getCompanionWindow().host !== 'electron') return;
      event.preventDefault();
      openKnownPage(url);
    },
  };
  const sign = <IconExternalLink size={15} stroke={1.75} aria-hidden />;
  if (asButton)
    return (
      <Button component="a" variant="ink" rightSection={sign} {...link}>
        {children}
      </Button>
    );
  return (
    <a className={styles.external} {...link}>
      {children}
      {sign}
    </a>
  );
};

const UnknownHostButton = ({ url, children, asButton = false, autoFocus = false, offer }: KnownPageProps) => {
  const button = useRef<HTMLButtonElement>(null);
  const { ask, agree } = useHostConfirmation(url);
  useOfferedAction(offer ? { ...offer, run: () => button.current?.click() } : null);
  const problem = ask.error ?? agree.error;
  if (!ask.data)
    return (
      <>
        <Button
          ref={button}
          {...(asButton ? { variant: 'ink' } : { size: 'compact-sm' })}
          autoFocus={autoFocus}
          loading={ask.isPending}
          onClick={() => ask.mutate()}
        >
          {children}
        </Button>
        <ErrorLine error={problem} />
      </>
    );
  const { questionId, host } = ask.data;
  return (
    <span role="alert" className={styles.question}>
      <span className={styles.address}>{t('parts.unknownHost', { host })}</span>
      <span className={styles.answers}>
        <Button size="compact-sm" autoFocus onClick={() => ask.reset()}>
          {t('approvals.notNow')}
        </Button>
        <Button size="compact-sm" loading={agree.isPending} onClick={() => agree.mutate(questionId)}>
          {t('parts.openHost', { host })}
        </Button>
      </span>
      <ErrorLine error={problem} />
    </span>
  );
};

/**
 * The address comes from the service, so the person must confirm an unknown host. If the page must not be opened, only
 * the text of the link is shown.
 */
export const ExternalLink = ({ url, children, withAddress = false, withHost = false, ...more }: Props) => {
  const link = usePageLink(url);
  if (!link) return <span>{children}</span>;
  const Page = link.isKnown ? KnownPageLink : UnknownHostButton;
  return (
    <>
      <Page url={link.url} {...more}>
        {children}
      </Page>
      {withAddress && <span className={styles.address}>{link.url}</span>}
      {(withHost || (!link.isKnown && !withAddress)) && <span className={styles.address}>{link.host}</span>}
    </>
  );
};
