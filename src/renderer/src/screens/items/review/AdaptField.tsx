import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Listing } from '../../../api/types.ts';
import { regionName } from '../../../i18n/locale.ts';
import { t } from '../../../i18n/t.ts';
import styles from './review.module.css';
import { late } from '../../../parts/late.tsx';

/** Loaded when it is first opened. */
const AdaptForm = late(async () => (await import('./AdaptForm.tsx')).AdaptForm);

/** For which site the listing is written, and the way to another. */
export const AdaptField = ({ listing }: { listing: Listing }) => {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <section aria-label={t('review.adapt.site')}>
      <div className={styles.line}>
        <h3>{t('review.adapt.site')}</h3>
        <span />
        {listing.status === 'pending_review' && (
          <Button ref={button} size="compact-sm" variant="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t('review.adapt.open')}
          </Button>
        )}
      </div>
      <p>{listing.marketplaceId ? regionName(listing.marketplaceId) : t('review.noneYet')}</p>
      {open && <AdaptForm listing={listing} onClose={close} />}
    </section>
  );
};
