import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { currencyOf } from '../../../../../../contract/index.ts';
import { sentenceOf, perform, type Listing } from '../../../../api/call.ts';
import { usePrompts } from '../../../approvals/useQuestions.ts';
import { MoneyInput } from '../../../../components/MoneyInput.tsx';
import { SwitchLine } from '../../../../components/SettingLines.tsx';
import { ReviewForm } from '../ReviewForm.tsx';
import { formatOf, formats, offerDraftOf, offersOf, type OfferDraft, type Offers } from './offers.ts';
import { t } from '../../../../i18n.ts';
import styles from '../review.module.css';

/** Requests a change of the offers, which set the price and so always need an approval. */
const useAskOffers = ({ listingId, status }: Listing, onAsked: () => void) => {
  const { show } = usePrompts();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Offers) =>
      perform(status === 'published' ? 'reviseListing' : 'updateListing', { params: { listingId }, body }),
    onSuccess: async (performed) => {
      onAsked();
      if (performed.state === 'pending') show(performed.approvalId);
      await Promise.all(['approvals', 'listings'].map((topic) => client.invalidateQueries({ queryKey: [topic] })));
    },
  });
};

type FieldsProps = { listing: Listing; draft: OfferDraft; change: (changes: Partial<OfferDraft>) => void };

const Limits = ({ listing, draft, change }: FieldsProps) => {
  const currency = currencyOf(listing);
  return (
    <div className={styles.pair} data-even>
      <MoneyInput
        currency={currency}
        label={t('review.offers.accept')}
        description={t('review.offers.acceptHelp')}
        value={draft.accept}
        onChange={(accept) => change({ accept })}
      />
      <MoneyInput
        currency={currency}
        label={t('review.offers.decline')}
        description={t('review.offers.declineHelp')}
        value={draft.decline}
        onChange={(decline) => change({ decline })}
      />
    </div>
  );
};

const Fields = (props: FieldsProps) => {
  const { listing, draft, change } = props;
  const fixed = draft.format === 'FIXED_PRICE';
  return (
    <>
      {formatOf(listing) && listing.status !== 'published' && (
        <NativeSelect
          label={t('review.offers.format')}
          autoFocus
          data={formats.map((value) => ({ value, label: t(`review.offers.${value}`) }))}
          value={draft.format}
          onChange={(event) =>
            change({ format: formats.find((one) => one === event.currentTarget.value) ?? 'FIXED_PRICE' })
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
      {fixed && draft.enabled && <Limits {...props} />}
    </>
  );
};

/** Fixed price or auction, and which offers are answered automatically. */
export const OfferForm = ({ listing, onClose }: { listing: Listing; onClose: () => void }) => {
  const [draft, setDraft] = useState(() => offerDraftOf(listing));
  const [wrong, setWrong] = useState<string | null>(null);
  const ask = useAskOffers(listing, onClose);
  const onSubmit = (): void => {
    const offers = offersOf(listing, draft);
    setWrong(typeof offers === 'string' ? offers : null);
    if (typeof offers !== 'string') ask.mutate(offers);
  };
  const problem = wrong ?? (ask.error ? sentenceOf(ask.error) : null);
  return (
    <ReviewForm
      name={t('review.offers.title')}
      submit={t('review.offers.ask')}
      busy={ask.isPending}
      problem={problem}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <Fields listing={listing} draft={draft} change={(changes) => setDraft({ ...draft, ...changes })} />
    </ReviewForm>
  );
};
