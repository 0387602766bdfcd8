import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ListingRow } from '../../../../../core/storage/tables/listings/listingSearch.ts';
import { callCore, performRequest, type ApprovalView } from '../../../api/call.ts';
import { useLiveDuplicates } from '../../../api/queries.ts';
import { notifyError } from '../../../api/useCall.ts';
import { CorePicture } from '../../../components/CorePicture.tsx';
import { FactRow } from '../../../components/lists/FactList.tsx';
import { formatCents, formatDay } from '../../../components/text/format.ts';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { t } from '../../../i18n.ts';
import { usePromptControls } from '../../approvals/usePrompts.ts';
import { useListingRequest } from './useListingRequest.ts';
import styles from './duplicate.module.css';

const unknownValue = '–';

const ListingColumn = ({ heading, row }: { heading: string; row: ListingRow }) => (
  <section aria-label={heading} className={styles.column}>
    <h3>{heading}</h3>
    {row.photoUrl !== null && <CorePicture src={row.photoUrl} alt="" width={160} height={160} />}
    <dl>
      <FactRow name={t('review.title')}>
        <UntrustedText text={row.title ?? unknownValue} fold={200} />
      </FactRow>
      <FactRow name={t('review.price')}>
        {row.priceCents === null ? unknownValue : formatCents(row.priceCents, row.currency)}
      </FactRow>
      <FactRow name={t('review.quantity')}>{row.quantity ?? unknownValue}</FactRow>
      <FactRow name={t('review.duplicate.sku')}>
        <UntrustedText text={row.shelf?.sku ?? row.sku ?? unknownValue} />
      </FactRow>
      <FactRow name={t('review.duplicate.place')}>
        <UntrustedText text={row.shelf?.place ?? unknownValue} />
      </FactRow>
      {row.status === 'published' && (
        <FactRow name={t('review.duplicate.since')}>{formatDay(row.liveAt ?? row.listedAt)}</FactRow>
      )}
    </dl>
  </section>
);

/** Adds to the quantity of the live listing with an approval. Then it offers to delete the new listing. */
const useAddToQuantity = (own: ListingRow, live: ListingRow, skip: () => void) => {
  const { show } = usePromptControls();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      performRequest('reviseListing', {
        params: { listingId: live.listingId },
        body: { quantity: (live.quantity ?? 1) + (own.quantity ?? 1) },
      }),
    onSuccess: async (performed) => {
      if (performed.state === 'done') return skip();
      await client.invalidateQueries({ queryKey: ['approvals'] });
      show(performed.approvalId, (approvalId) => {
        if (client.getQueryData<ApprovalView>(['approvals', 'one', approvalId])?.state === 'done') skip();
      });
    },
    onError: notifyError,
  });
};

type AnswerProps = { own: ListingRow; live: ListingRow; close: () => void };

const DuplicateAnswers = ({ own, live, close }: AnswerProps) => {
  const client = useQueryClient();
  const remove = useListingRequest(own.listingId);
  const skip = (): void => remove.mutate('deleteListing');
  const add = useAddToQuantity(own, live, skip);
  const differ = useMutation({
    mutationFn: () => callCore('listings.keepDifferent', { listingId: own.listingId, liveListingId: live.listingId }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['listings'] }),
    onError: notifyError,
  });
  const runAndClose = (act: () => void) => (): void => {
    close();
    act();
  };
  return (
    <div className={styles.answers}>
      {live.quantity !== null && <Button onClick={runAndClose(add.mutate)}>{t('review.duplicate.add')}</Button>}
      <Button data-autofocus variant="ink" disabled={differ.isPending} onClick={() => differ.mutate()}>
        {t('review.duplicate.differ')}
      </Button>
      <Button variant="quiet" onClick={runAndClose(skip)}>
        {t('review.duplicate.skip')}
      </Button>
    </div>
  );
};

/** Shows a listing in review beside the live listing that could sell the same thing. */
export const LiveDuplicateDialog = ({ listingId, close }: { listingId: string; close: () => void }) => {
  const { own, live = [] } = useLiveDuplicates(listingId).data ?? {};
  const [first] = live;
  if (!own || !first) return null;
  return (
    <Modal opened onClose={close} title={t('review.duplicate.heading')} size={640} padding="lg">
      <p className={styles.text}>{t('review.duplicate.text')}</p>
      <div className={styles.columns}>
        <ListingColumn heading={t('review.duplicate.new')} row={own} />
        <ListingColumn heading={t('review.duplicate.live')} row={first} />
      </div>
      <DuplicateAnswers key={first.listingId} {...{ own, close }} live={first} />
    </Modal>
  );
};
