import type { ReactNode } from 'react';
import { t } from '../i18n.ts';
import styles from './howItWorks.module.css';

const Photos = () => (
  <>
    <rect x="30" y="20" width="52" height="52" rx="4" data-tone="light" transform="rotate(-8 56 46)" />
    <rect x="78" y="22" width="52" height="52" rx="4" data-tone="mid" transform="rotate(6 104 48)" />
    <rect x="54" y="26" width="52" height="52" rx="4" data-tone="dark" />
    <circle cx="80" cy="52" r="14" data-tone="sheet" />
  </>
);

const Listing = () => (
  <>
    <rect x="28" y="14" width="104" height="72" rx="4" data-tone="sheet" />
    <rect x="36" y="22" width="36" height="36" rx="2" data-tone="dark" />
    <rect x="80" y="24" width="44" height="6" rx="3" data-tone="ink" />
    <rect x="80" y="36" width="32" height="6" rx="3" data-tone="mid" />
    <rect x="80" y="48" width="38" height="6" rx="3" data-tone="mid" />
    <rect x="36" y="68" width="88" height="6" rx="3" data-tone="light" />
  </>
);

const Prompt = () => (
  <>
    <rect x="44" y="10" width="72" height="80" rx="4" data-tone="sheet" />
    <rect x="54" y="20" width="36" height="6" rx="3" data-tone="ink" />
    <rect x="54" y="34" width="26" height="4" rx="2" data-tone="mid" />
    <rect x="94" y="34" width="12" height="4" rx="2" data-tone="mid" />
    <rect x="54" y="44" width="20" height="4" rx="2" data-tone="mid" />
    <rect x="94" y="44" width="12" height="4" rx="2" data-tone="mid" />
    <rect x="54" y="54" width="52" height="1" data-tone="mid" />
    <rect x="54" y="68" width="52" height="14" rx="3" data-tone="ink" />
  </>
);

const Step = ({ name, children }: { name: string; children: ReactNode }) => (
  <li>
    <svg viewBox="0 0 160 100" aria-hidden>
      {children}
    </svg>
    <span>{name}</span>
  </li>
);

/** Three pictures of the way from photos to a live listing. */
export const HowItWorks = () => (
  <ol className={styles.steps}>
    <Step name={t('connect.tour.dropTitle')}>
      <Photos />
    </Step>
    <Step name={t('connect.tour.lookTitle')}>
      <Listing />
    </Step>
    <Step name={t('connect.tour.yesTitle')}>
      <Prompt />
    </Step>
  </ol>
);
