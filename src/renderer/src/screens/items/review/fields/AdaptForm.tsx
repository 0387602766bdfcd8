import { t } from '../../../../i18n.ts';
import { findOwnEntry } from '../../../../../../contract/untrusted.ts';
import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refetchListing } from '../../../../api/queries.ts';
import { useState } from 'react';
import { siteCurrencies } from '../../../../../../contract/currency.ts';
import { getErrorSentence, performRequest, type Listing } from '../../../../api/call.ts';
import { ReviewForm } from '../ReviewForm.tsx';
import styles from '../review.module.css';
import { formatLanguageCode, getSiteCountryName } from '../../../../components/text/format.ts';

/** Sites whose country code is not their language code. */
const siteLanguages: Readonly<Record<string, string>> = {
  MKT_US: 'en',
  MKT_GB: 'en',
  MKT_IE: 'en',
  MKT_CA: 'en',
  MKT_AU: 'en',
  MKT_AT: 'de',
  MKT_CH: 'de',
  MKT_BE: 'nl',
  MKT_SE: 'sv',
};

/** Returns a BCP 47 tag. */
export const getSiteLanguage = (site: string): string =>
  findOwnEntry(siteLanguages, site) ?? site.replace(/^MKT_/, '').toLowerCase();

export const listingLanguages = ['en', 'de', 'fr', 'it', 'es', 'nl', 'pl', 'sv'] as const;

export type AdaptTarget = { marketplaceId: string; language: string };

/** The service does not count an adapted listing in the monthly allowance. */
export const requestAdaptation = (listingId: string, { marketplaceId, language }: AdaptTarget) =>
  performRequest('generateListing', {
    params: { listingId },
    body: {
      intent: 'adapt_marketplace',
      targetMarketplaceId: marketplaceId,
      ...(language === '' ? {} : { targetLanguage: language }),
    },
  });

const useAdaptListing = ({ listingId }: Listing, onBegun: () => void) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (target: AdaptTarget) => requestAdaptation(listingId, target),
    onSuccess: async () => {
      onBegun();
      // This read makes the companion notice that the listing is being written.
      await refetchListing(client, listingId);
    },
  });
};

/** Returns a site that none of the listings is on; if each site has one, the first site. */
export const findOtherSite = (sites: readonly (string | null | undefined)[]): string =>
  Object.keys(siteCurrencies).find((site) => !sites.includes(site)) ?? 'MKT_US';

const listSiteOptions = () =>
  Object.entries(siteCurrencies).map(([value, currency]) => ({
    value,
    label: `${getSiteCountryName(value)} (${currency})`,
  }));

const listLanguageOptions = (site: string) => [
  { value: '', label: t('review.adapt.siteLanguage', { language: formatLanguageCode(getSiteLanguage(site)) }) },
  ...listingLanguages.map((value) => ({ value, label: formatLanguageCode(value) })),
];

type TargetProps = { target: AdaptTarget; onChange: (target: AdaptTarget) => void };

export const AdaptTargetFields = ({ target, onChange }: TargetProps) => (
  <div className={styles.pair} data-even>
    <NativeSelect
      label={t('review.adapt.site')}
      autoFocus
      data-autofocus
      data={listSiteOptions()}
      value={target.marketplaceId}
      onChange={(event) => onChange({ marketplaceId: event.currentTarget.value, language: '' })}
    />
    <NativeSelect
      label={t('review.adapt.language')}
      data={listLanguageOptions(target.marketplaceId)}
      value={target.language}
      onChange={(event) => onChange({ ...target, language: event.currentTarget.value })}
    />
  </div>
);

export const AdaptForm = ({ listing, onClose }: { listing: Listing; onClose: () => void }) => {
  const [wish, setWish] = useState<AdaptTarget>(() => ({
    marketplaceId: findOtherSite([listing.marketplaceId]),
    language: '',
  }));
  const adapt = useAdaptListing(listing, onClose);
  return (
    <ReviewForm
      name={t('review.adapt.title')}
      submit={t('review.adapt.write')}
      busy={adapt.isPending}
      problem={adapt.error && getErrorSentence(adapt.error)}
      onSubmit={() => adapt.mutate(wish)}
      onClose={onClose}
    >
      <p>{t('review.adapt.means')}</p>
      <AdaptTargetFields target={wish} onChange={setWish} />
    </ReviewForm>
  );
};
