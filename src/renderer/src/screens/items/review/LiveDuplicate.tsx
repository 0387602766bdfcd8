import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CallInput } from '../../../../../ipc/calls.ts';
import type { ComparedSide } from '../../../../../core/companion/companionApi.ts';
import type { ListingRow } from '../../../../../core/storage/tables/listings/listingSearch.ts';
import {
  callCore,
  CallError,
  performRequest,
  requestAddedQuantity,
  readServiceAnswer,
  type ApprovalView,
} from '../../../api/call.ts';
import { useLiveDuplicates } from '../../../api/queries.ts';
import { notifyError } from '../../../api/useCall.ts';
import { useFocusRestore } from '../../../components/Keys.tsx';
import { CorePicture } from '../../../components/CorePicture.tsx';
import { FactRow } from '../../../components/lists/FactList.tsx';
import { formatCents, formatDay } from '../../../components/text/format.ts';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { t } from '../../../i18n.ts';
import { useCloseRemovedItem, useItemAction } from '../NextSteps.tsx';
import { usePromptControls } from '../../approvals/usePrompts.ts';
import { useListingRequest } from './useListingRequest.ts';
import styles from './duplicate.module.css';

const unknownValue = '–';

type ColumnProps = { heading: string; row: ComparedSide; children?: ReactNode };

const ListingColumn = ({ heading, row, children }: ColumnProps) => (
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
      {children}
    </dl>
  </section>
);

/** The stored quantity could be older than a sale. Throws if the service does not name the quantity. */
const readLiveQuantity = async (listingId: string): Promise<number> => {
  const { quantity } = await readServiceAnswer('readListing', { params: { listingId } });
  if (typeof quantity === 'number') return quantity;
  throw new CallError({ code: 'QUANTITY_UNKNOWN', sentence: t('review.duplicate.quantityUnknown') });
};

type AddParts = { target: ComparedTarget; own: ComparedSide; live: ListingRow; skip: () => void };

/**
 * Adds to the quantity of the live listing with an approval. Then the new item or listing is not needed: the core
 * removes the item, even if this window is closed, and `skip` asks whether to delete the listing.
 */
const useAddToQuantity = ({ target, own, live: { listingId }, skip }: AddParts) => {
  const itemId = 'itemId' in target ? target.itemId : null;
  const closeItem = useCloseRemovedItem(itemId ?? '');
  const finish = itemId === null ? skip : closeItem;
  const { show } = usePromptControls();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const quantity = (await readLiveQuantity(listingId)) + (own.quantity ?? 1);
      if (itemId !== null) return requestAddedQuantity(listingId, quantity, itemId);
      return performRequest('reviseListing', { params: { listingId }, body: { quantity } });
    },
    onSuccess: async (performed) => {
      if (performed.state === 'done') return finish();
      await client.invalidateQueries({ queryKey: ['approvals'] });
      show(performed.approvalId, (approvalId) => {
        if (client.getQueryData<ApprovalView>(['approvals', 'one', approvalId])?.state === 'done') finish();
      });
    },
    onError: notifyError,
  });
};

export type ComparedTarget = CallInput<'listings.duplicates'>;
type AnswerProps = { target: ComparedTarget; own: ComparedSide; live: ListingRow; isLast: boolean; close: () => void };

/** An item is removed from the list. A listing is deleted with an approval. */
const useSkip = (target: ComparedTarget): (() => void) => {
  const itemId = 'itemId' in target ? target.itemId : null;
  const removeListing = useListingRequest('listingId' in target ? target.listingId : '');
  const removeItem = useItemAction('items.remove', useCloseRemovedItem(itemId ?? ''));
  return () => (itemId === null ? removeListing.mutate('deleteListing') : removeItem.mutate(itemId));
};

const DuplicateAnswers = ({ target, own, live, isLast, close }: AnswerProps) => {
  const client = useQueryClient();
  const skip = useSkip(target);
  const add = useAddToQuantity({ target, own, live, skip });
  const differ = useMutation({
    mutationFn: () => callCore('listings.keepDifferent', { own: target, liveListingId: live.listingId }),
    onSuccess: () => {
      if (isLast) close();
      return Promise.all(['listings', 'items'].map((topic) => client.invalidateQueries({ queryKey: [topic] })));
    },
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
        {t('itemId' in target ? 'review.duplicate.skipItem' : 'review.duplicate.skip')}
      </Button>
    </div>
  );
};

type DialogProps = { target: ComparedTarget; close: () => void };

/** The live listing was sold or ended while the item waited. */
const NoDuplicateDialog = ({ target, close }: DialogProps) => (
  <Modal opened onClose={close} title={t('review.duplicate.noneLeft')} size={480} padding="lg">
    {'itemId' in target && <p className={styles.text}>{t('review.duplicate.canStart')}</p>}
    <Button data-autofocus onClick={close}>
      {t('parts.close')}
    </Button>
  </Modal>
);

/** Shows an item or a listing in review beside the live listing that could sell the same thing. */
export const LiveDuplicateDialog = ({ target, close }: DialogProps) => {
  useFocusRestore();
  const found = useLiveDuplicates(target).data;
  if (!found) return null;
  const { own, live } = found;
  const [first] = live;
  if (!first) return <NoDuplicateDialog {...{ target, close }} />;
  if (!own) return null;
  return (
    <Modal opened onClose={close} title={t('review.duplicate.heading')} size={640} padding="lg">
      <p className={styles.text}>{t('itemId' in target ? 'review.duplicate.itemText' : 'review.duplicate.text')}</p>
      <div className={styles.columns}>
        <ListingColumn heading={t('review.duplicate.new')} row={own} />
        <ListingColumn heading={t('review.duplicate.live')} row={first}>
          <FactRow name={t('review.duplicate.since')}>{formatDay(first.liveAt ?? first.listedAt)}</FactRow>
        </ListingColumn>
      </div>
      <DuplicateAnswers key={first.listingId} {...{ target, own, close }} live={first} isLast={live.length === 1} />
    </Modal>
  );
};
