import { type Listing, sentenceOf, perform } from '../../../api/call.ts';
import { centsToText, textToCents } from '../../../components/text/format.ts';
import { checkQuantity, checkTitle } from './fields/fieldProblems.ts';
import { t } from '../../../i18n.ts';
import { Button, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { usePrompts } from '../../approvals/useQuestions.ts';
import { ReviewFormFoot } from './ReviewForm.tsx';
import styles from './review.module.css';

/** What stands in the fields of a live listing that is being changed. */
export type LiveDraft = { title: string; price: string; quantity: string };
/** What is sent to change a live listing; the price in hundredths. */
type LiveChanges = { title?: string; price?: number; quantity?: number };

/** The fields of a live edit as the listing has them. */
export const draftOf = (listing: Listing): LiveDraft => ({
  title: listing.title ?? '',
  price: centsToText(listing.price),
  quantity: String(listing.quantity ?? 1),
});

/** Only what differs from the live listing; or what is wrong with it, in words. */
export const liveChanges = (listing: Listing, draft: LiveDraft): LiveChanges | string => {
  const was = draftOf(listing);
  const changes: LiveChanges = {};
  if (draft.title !== was.title) changes.title = draft.title.trim();
  if (draft.quantity !== was.quantity) changes.quantity = Number(draft.quantity);
  if (draft.price !== was.price) {
    const cents = textToCents(draft.price);
    if (cents === null) return t('review.check.price', { example: centsToText(3_499) });
    if (cents !== listing.price) changes.price = cents;
  }
  const wrong = checkTitle(draft.title) ?? (changes.quantity === undefined ? null : checkQuantity(draft.quantity));
  if (wrong !== null) return wrong;
  return Object.keys(changes).length === 0 ? t('review.check.nothing') : changes;
};

type Props = { listing: Listing; currency: string | null };
type Editing = { editing: boolean; onEditing: (editing: boolean) => void };

const useRevise = (listingId: string, onAsked: () => void) => {
  const { show } = usePrompts();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: LiveChanges) => perform('reviseListing', { params: { listingId }, body }),
    onSuccess: async (performed) => {
      onAsked();
      if (performed.state === 'pending') show(performed.approvalId);
      await client.invalidateQueries({ queryKey: ['approvals'] });
    },
  });
};

const Form = ({ listing, currency, onClose }: Props & { onClose: () => void }) => {
  const [draft, setDraft] = useState(() => draftOf(listing));
  const [wrong, setWrong] = useState<string | null>(null);
  const revise = useRevise(listing.listingId, onClose);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const changes = liveChanges(listing, draft);
    setWrong(typeof changes === 'string' ? changes : null);
    if (typeof changes !== 'string') revise.mutate(changes);
  };
  const problem = wrong ?? (revise.error ? sentenceOf(revise.error) : null);
  return (
    <form className={styles.liveForm} onSubmit={onSubmit} aria-label={t('review.editLiveName')}>
      <Textarea
        label={t('review.newTitle')}
        autosize
        minRows={1}
        autoFocus
        value={draft.title}
        onChange={(event) => setDraft({ ...draft, title: event.currentTarget.value.replace(/\s*\n\s*/g, ' ') })}
      />
      <div className={styles.pair}>
        <TextInput
          label={t('review.newPrice')}
          inputMode="decimal"
          leftSection={<span className={styles.currency}>{currency ?? '?'}</span>}
          leftSectionWidth={56}
          value={draft.price}
          onChange={(event) => setDraft({ ...draft, price: event.currentTarget.value })}
        />
        <TextInput
          label={t('review.newQuantity')}
          inputMode="numeric"
          value={draft.quantity}
          onChange={(event) => setDraft({ ...draft, quantity: event.currentTarget.value })}
        />
      </div>
      <ReviewFormFoot submit={t('review.changeLive')} busy={revise.isPending} problem={problem} onClose={onClose} />
    </form>
  );
};

/** Changes a listing that buyers already see: only what was changed is asked about, before and after. */
export const LiveEdit = ({ editing, onEditing, ...form }: Props & Editing) => {
  if (editing) return <Form {...form} onClose={() => onEditing(false)} />;
  return (
    <div className={styles.publishLine}>
      <Button onClick={() => onEditing(true)}>{t('review.editLive')}</Button>
      <span className={styles.soft}>{t('review.editLiveHint')}</span>
    </div>
  );
};
