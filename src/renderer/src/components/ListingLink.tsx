import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { call, companion } from '../api/call.ts';
import { t } from '../i18n.ts';
import { ExternalLink } from './ExternalLink.tsx';
import type { ActId } from './acts/offeredActs.tsx';
import styles from './links.module.css';

type Props = {
  url: string;
  listingId: string | null;
  children: ReactNode;
  offer?: { act: ActId; name: string };
};

const openPage = (url: string): void => {
  void call('links.trust', { url });
  if (companion().host === 'electron') void call('app.open', { url });
  else window.open(url, '_blank', 'noopener,noreferrer');
};

type UnknownHostProps = { url: string; host: string; children: ReactNode };

/** A page on a host that nothing of the person's was on before: the first press says where it leads, the second opens it. */
const UnknownHost = ({ url, host, children }: UnknownHostProps) => {
  const [isAsked, setIsAsked] = useState(false);
  if (!isAsked)
    return (
      <Button size="compact-sm" onClick={() => setIsAsked(true)}>
        {children}
      </Button>
    );
  return (
    <span role="alert">
      <span className={styles.address}>{t('parts.unknownHost', { host })}</span>
      <Button size="compact-sm" autoFocus onClick={() => setIsAsked(false)}>
        {t('parts.close')}
      </Button>{' '}
      <Button
        size="compact-sm"
        onClick={() => {
          setIsAsked(false);
          openPage(url);
        }}
      >
        {t('parts.openHost', { host })}
      </Button>
    </span>
  );
};

/** The page of a listing, with its host. The service names it, so a host that is new is opened only after a question. */
export const ListingLink = ({ url, listingId, children, offer }: Props) => {
  const { data: link } = useQuery({
    queryKey: ['link', url, listingId],
    queryFn: () => call('links.inspect', { url, listingId }),
  });
  if (!link) return <span>{children}</span>;
  return (
    <>
      {link.isKnown ? (
        <ExternalLink url={link.url} {...(offer ? { offer } : {})}>
          {children}
        </ExternalLink>
      ) : (
        <UnknownHost url={link.url} host={link.host}>
          {children}
        </UnknownHost>
      )}
      <span className={styles.address}>{link.host}</span>
    </>
  );
};
