import { useRef, useState } from 'react';
import { findListingCurrency } from '../../../../../../contract/index.ts';
import type { Listing } from '../../../../api/call.ts';
import { formatCents } from '../../../../components/text/format.ts';
import { ActionButton } from '../../../../components/acts/offeredActs.tsx';
import { ProblemLine } from '../../../../components/ScreenPage.tsx';
import { createLazyComponent } from '../../../../components/createLazyComponent.tsx';
import { findListingFormat } from './offers.ts';
import { t } from '../../../../i18n.ts';
import styles from '../review.module.css';

const OfferForm = createLazyComponent(async () => (await import('./OfferForm.tsx')).OfferForm);

const describeOfferSettings = (listing: Listing): string => {
  const { enabled, autoAcceptCents, autoDeclineCents } = listing.bestOffer ?? {};
  const formatAmount = (cents: number): string => formatCents(cents, findListingCurrency(listing));
  const format = findListingFormat(listing);
  const sells = format ? [t(`review.offers.${format}`)] : [];
  if (format === 'AUCTION') return sells.join('');
  if (!enabled) return [...sells, t('review.offers.off')].join(' · ');
  return [
    ...sells,
    t('review.offers.on'),
    ...(autoAcceptCents === undefined
      ? []
      : [t('review.offers.acceptsFrom', { price: formatAmount(autoAcceptCents) })]),
    ...(autoDeclineCents === undefined
      ? []
      : [t('review.offers.declinesBelow', { price: formatAmount(autoDeclineCents) })]),
  ].join(' · ');
};

type Props = { listing: Listing; problems: readonly string[] | undefined };

export const OffersField = ({ listing, problems = [] }: Props) => {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const changeable = ['draft', 'pending_review', 'failed', 'published'].includes(listing.status);
  const closeOfferForm = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <section aria-label={t('review.offers.title')}>
      <div className={styles.line}>
        <h3>{t('review.offers.title')}</h3>
        <span />
        {changeable && (
          <ActionButton
            act="sells"
            actName={t('review.offers.title')}
            ref={button}
            size="compact-sm"
            variant="quiet"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {t('review.offers.change')}
          </ActionButton>
        )}
      </div>
      <p>{describeOfferSettings(listing)}</p>
      {problems.map((problem) => (
        <ProblemLine key={problem}>{problem}</ProblemLine>
      ))}
      {open && <OfferForm listing={listing} onClose={closeOfferForm} />}
    </section>
  );
};
