import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { siteCurrencies } from '../../../../../../contract/index.ts';
import { sentenceOf, perform } from '../../../../api/call.ts';
import type { Listing } from '../../../../api/types.ts';
import { regionName } from '../../../../i18n/locale.ts';
import { languageName, listingLanguages, ownLanguage } from './siteLanguages.ts';
import { ReviewForm } from '../ReviewForm.tsx';
import { t } from '../../../../i18n/t.ts';
import styles from '../review.module.css';

type Wish = { marketplaceId: string; language: string };

/** Has the listing written anew for another site or in another language; it uses none of the month's listings. */
const useAdapt = ({ listingId }: Listing, onBegun: () => void) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ marketplaceId, language }: Wish) =>
      perform('generateListing', {
        params: { listingId },
        body: {
          intent: 'adapt_marketplace',
          targetMarketplaceId: marketplaceId,
          ...(language === '' ? {} : { targetLanguage: language }),
        },
      }),
    onSuccess: async () => {
      onBegun();
      // This reading is what tells the companion that it is being written.
      await client.invalidateQueries({ queryKey: ['listings', listingId] });
    },
  });
};

const otherSite = (listing: Listing): string =>
  Object.keys(siteCurrencies).find((site) => site !== listing.marketplaceId) ?? 'MKT_US';

const sites = () =>
  Object.entries(siteCurrencies).map(([value, currency]) => ({ value, label: `${regionName(value)} (${currency})` }));

const languages = (site: string) => [
  { value: '', label: t('review.adapt.siteLanguage', { language: languageName(ownLanguage(site)) }) },
  ...listingLanguages.map((value) => ({ value, label: languageName(value) })),
];

/** Which site and which language; and what becomes of what stands here. */
export const AdaptForm = ({ listing, onClose }: { listing: Listing; onClose: () => void }) => {
  const [wish, setWish] = useState<Wish>(() => ({ marketplaceId: otherSite(listing), language: '' }));
  const adapt = useAdapt(listing, onClose);
  return (
    <ReviewForm
      name={t('review.adapt.title')}
      submit={t('review.adapt.write')}
      busy={adapt.isPending}
      problem={adapt.error && sentenceOf(adapt.error)}
      onSubmit={() => adapt.mutate(wish)}
      onClose={onClose}
    >
      <p>{t('review.adapt.means')}</p>
      <div className={styles.pair} data-even>
        <NativeSelect
          label={t('review.adapt.site')}
          autoFocus
          data={sites()}
          value={wish.marketplaceId}
          onChange={(event) => setWish({ marketplaceId: event.currentTarget.value, language: '' })}
        />
        <NativeSelect
          label={t('review.adapt.language')}
          data={languages(wish.marketplaceId)}
          value={wish.language}
          onChange={(event) => setWish({ ...wish, language: event.currentTarget.value })}
        />
      </div>
    </ReviewForm>
  );
};
