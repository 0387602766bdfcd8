import { IconExternalLink } from '@tabler/icons-react';
import { useRef, type ReactNode } from 'react';
import { call, companion } from '../api/call.ts';
import { useOffer, type ActId } from './acts/offeredActs.tsx';
import styles from './links.module.css';

const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);

type Props = {
  url: string;
  children: ReactNode;
  withAddress?: boolean;
  /** Has it found as an act as well. */
  offer?: { act: ActId; name: string };
};

/** A page outside the companion. In the desktop app the core opens it; a browser opens it itself. */
export const ExternalLink = ({ url, children, withAddress = false, offer }: Props) => {
  const link = useRef<HTMLAnchorElement>(null);
  useOffer(offer && isWebAddress(url) ? { ...offer, run: () => link.current?.click() } : null);
  if (!isWebAddress(url)) return <span>{children}</span>;
  return (
    <>
      <a
        ref={link}
        className={styles.external}
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        onClick={(event) => {
          if (companion().host !== 'electron') return;
          event.preventDefault();
          void call('app.open', { url });
        }}
      >
        {children}
        <IconExternalLink size={15} stroke={1.75} aria-hidden />
      </a>
      {withAddress && <span className={styles.address}>{url}</span>}
    </>
  );
};
