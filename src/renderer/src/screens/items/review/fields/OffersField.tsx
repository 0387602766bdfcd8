import { useRef, useState } from 'react';
import { currencyOf } from '../../../../../../contract/index.ts';
import type { Listing } from '../../../../api/call.ts';
import { formatCents } from '../../../../components/text/format.ts';
import { ActButton } from '../../../../components/acts/offeredActs.tsx';
import { ProblemLine } from '../../../../components/Page.tsx';
import { lazyComponent } from '../../../../components/lazyComponent.tsx';
import { formatOf } from './offers.ts';
import { t } from '../../../../i18n.ts';
import styles from '../review.module.css';

const OfferForm = lazyComponent(async () => (await import('./OfferForm.tsx')).OfferForm);

const offersText = (listing: Listing): string => {
  const { enabled, autoAcceptCents, autoDeclineCents } = listing.bestOffer ?? {};
  const amount = (cents: number): string => formatCents(cents, currencyOf(listing));
  const format = formatOf(listing);
  const sells = format ? [t(`review.offers.${format}`)] : [];
  if (format === 'AUCTION') return sells.join('');
  if (!enabled) return [...sells, t('review.offers.off')].join(' · ');
  return [
    ...sells,
    t('review.offers.on'),
    ...(autoAcceptCents === undefined ? [] : [t('review.offers.acceptsFrom', { price: amount(autoAcceptCents) })]),
    ...(autoDeclineCents === undefined ? [] : [t('review.offers.declinesBelow', { price: amount(autoDeclineCents) })]),
  ].join(' · ');
};

type Props = { listing: Listing; problems: readonly string[] | undefined };

/** Best Offer, and the format if the service reports one. Changing either needs an approval. */
export const OffersField = ({ listing, problems = [] }: Props) => {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const changeable = ['draft', 'pending_review', 'failed', 'published'].includes(listing.status);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <section aria-label={t('review.offers.title')}>
      <div className={styles.line}>
        <h3>{t('review.offers.title')}</h3>
        <span />
        {changeable && (
          <ActButton
            act="sells"
            actName={t('review.offers.title')}
            ref={button}
            size="compact-sm"
            variant="quiet"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {t('review.offers.change')}
          </ActButton>
        )}
      </div>
      <p>{offersText(listing)}</p>
      {problems.map((problem) => (
        <ProblemLine key={problem}>{problem}</ProblemLine>
      ))}
      {open && <OfferForm listing={listing} onClose={close} />}
    </section>
  );
};
