import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { findListingCurrency } from '../../../../../../contract/index.ts';
import { getErrorSentence, performRequest, type Listing } from '../../../../api/call.ts';
import { usePromptControls } from '../../../approvals/usePrompts.ts';
import { MoneyInputField } from '../../../../components/fields/MoneyInput.tsx';
import { SwitchLine } from '../../../../components/fields/SettingLines.tsx';
import { ReviewForm } from '../ReviewForm.tsx';
import {
  findListingFormat,
  listingFormats,
  createOfferDraft,
  buildOfferChanges,
  type OfferDraft,
  type OfferChanges,
} from './offers.ts';
import { t } from '../../../../i18n.ts';
import styles from '../review.module.css';

/** Offers affect the price, so each change of them needs an approval. */
const useOfferChangesRequest = ({ listingId, status }: Listing, onAsked: () => void) => {
  const { show } = usePromptControls();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: OfferChanges) =>
      performRequest(status === 'published' ? 'reviseListing' : 'updateListing', { params: { listingId }, body }),
    onSuccess: async (performed) => {
      onAsked();
      if (performed.state === 'pending') show(performed.approvalId);
      await Promise.all(['approvals', 'listings'].map((topic) => client.invalidateQueries({ queryKey: [topic] })));
    },
  });
};

type FieldsProps = { listing: Listing; draft: OfferDraft; change: (changes: Partial<OfferDraft>) => void };

const OfferLimitFields = ({ listing, draft, change }: FieldsProps) => {
  const currency = findListingCurrency(listing);
  return (
    <div className={styles.pair} data-even>
      <MoneyInputField
        currency={currency}
        label={t('review.offers.accept')}
        description={t('review.offers.acceptHelp')}
        value={draft.accept}
        onChange={(accept) => change({ accept })}
      />
      <MoneyInputField
        currency={currency}
        label={t('review.offers.decline')}
        description={t('review.offers.declineHelp')}
        value={draft.decline}
        onChange={(decline) => change({ decline })}
      />
    </div>
  );
};

const OfferFormFields = (props: FieldsProps) => {
  const { listing, draft, change } = props;
  const fixed = draft.format === 'FIXED_PRICE';
  return (
    <>
      {findListingFormat(listing) && listing.status !== 'published' && (
        <NativeSelect
          label={t('review.offers.format')}
          autoFocus
          data={listingFormats.map((value) => ({ value, label: t(`review.offers.${value}`) }))}
          value={draft.format}
          onChange={(event) =>
            change({ format: listingFormats.find((one) => one === event.currentTarget.value) ?? 'FIXED_PRICE' })
          }
        />
      )}
      {fixed && (
        <SwitchLine
          label={t('review.offers.take')}
          help={t('review.offers.takeHelp')}
          on={draft.enabled}
          set={(enabled) => change({ enabled })}
        />
      )}
      {fixed && draft.enabled && <OfferLimitFields {...props} />}
    </>
  );
};

export const OfferForm = ({ listing, onClose }: { listing: Listing; onClose: () => void }) => {
  const [draft, setDraft] = useState(() => createOfferDraft(listing));
  const [wrong, setWrong] = useState<string | null>(null);
  const ask = useOfferChangesRequest(listing, onClose);
  const onSubmit = (): void => {
    const offers = buildOfferChanges(listing, draft);
    setWrong(typeof offers === 'string' ? offers : null);
    if (typeof offers !== 'string') ask.mutate(offers);
  };
  const problem = wrong ?? (ask.error ? getErrorSentence(ask.error) : null);
  return (
    <ReviewForm
      name={t('review.offers.title')}
      submit={t('review.offers.ask')}
      busy={ask.isPending}
      problem={problem}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <OfferFormFields listing={listing} draft={draft} change={(changes) => setDraft({ ...draft, ...changes })} />
    </ReviewForm>
  );
};
