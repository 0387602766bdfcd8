import { Button, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { sentenceOf, perform } from '../../../api/call.ts';
import type { Listing } from '../../../api/types.ts';
import { usePrompts } from '../../approvals/usePrompts.ts';
import { draftOf, liveChanges, type LiveChanges } from './liveChanges.ts';
import { ReviewFormFoot } from './ReviewForm.tsx';
import { t } from '../../../i18n/t.ts';
import styles from './review.module.css';

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
