import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { CallError, type ListingRow } from '../../../api/call.ts';
import { refetchListing } from '../../../api/queries.ts';
import { useFocusRestore } from '../../../components/Keys.tsx';
import { t } from '../../../i18n.ts';
import {
  AdaptTargetFields,
  findOtherSite,
  requestAdaptation,
  type AdaptTarget,
} from '../../items/review/fields/AdaptForm.tsx';
import styles from './bulk.module.css';
import { notifyBulkFailures, runOrRecordFailure, type BulkFailure } from './useBulkEdit.ts';

/** The service writes a few listings at a time, so this waits for a free place until `isCancelled`. */
const requestInTurn = async (listingId: string, target: AdaptTarget, isCancelled: () => boolean): Promise<void> => {
  try {
    await requestAdaptation(listingId, target);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'FIVE_AT_A_TIME' || isCancelled()) throw error;
    await requestInTurn(listingId, target, isCancelled);
  }
};

/** Closing the dialog stops the run after the request in flight. */
const useAdaptRun = (onDone: (failed: readonly ListingRow[]) => void) => {
  const client = useQueryClient();
  const [sent, setSent] = useState(0);
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => void (isClosed.current = true);
  }, []);
  const run = useMutation({
    mutationFn: async ({ rows, target }: { rows: readonly ListingRow[]; target: AdaptTarget }) => {
      const failures: BulkFailure[] = [];
      for (const row of rows) {
        if (isClosed.current) break;
        await runOrRecordFailure({ failures }, row, async () => {
          await requestInTurn(row.listingId, target, () => isClosed.current);
          // This read makes the companion notice that the listing is being written.
          await refetchListing(client, row.listingId);
        });
        setSent((before) => before + 1);
      }
      return failures;
    },
    onSuccess: notifyBulkFailures,
    onSettled: () => client.invalidateQueries({ queryKey: ['listings'] }),
  });
  return {
    start: (rows: readonly ListingRow[], target: AdaptTarget): void =>
      run.mutate(
        { rows, target },
        { onSuccess: (failures: readonly BulkFailure[]) => onDone(failures.map(({ row }) => row)) },
      ),
    busy: run.isPending,
    sent,
  };
};

type Props = {
  rows: readonly ListingRow[];
  onClose: () => void;
  onDone: (failed: readonly ListingRow[]) => void;
};

/** Listings that are already on the site, or are not ready for review, stay as they are. */
export const AdaptDialog = ({ rows, onClose, onDone }: Props) => {
  useFocusRestore();
  const written = rows.filter(({ status }) => status === 'pending_review');
  const [target, setTarget] = useState<AdaptTarget>(() => ({
    marketplaceId: findOtherSite(written.map(({ site }) => site)),
    language: '',
  }));
  const adapt = useAdaptRun(onDone);
  const moving = written.filter(({ site }) => site !== target.marketplaceId);
  const left = rows.length - moving.length;
  const startAdaptations = (event: FormEvent): void => {
    event.preventDefault();
    if (moving.length > 0) adapt.start(moving, target);
  };
  return (
    <Modal opened onClose={onClose} title={t('listings.bulk.adaptTitle', { count: moving.length })} padding="lg">
      <form className={styles.form} onSubmit={startAdaptations}>
        <p>{t('listings.bulk.adaptMeans')}</p>
        <AdaptTargetFields target={target} onChange={setTarget} />
        <div className={styles.foot}>
          <Button type="submit" variant="ink" loading={adapt.busy} disabled={moving.length === 0}>
            {t('listings.bulk.rewrite', { count: moving.length })}
          </Button>
          <span className={styles.soft} aria-live="polite">
            {adapt.busy
              ? t('listings.bulk.adaptSent', { count: adapt.sent, of: moving.length })
              : left > 0 && t('listings.bulk.adaptLeft', { count: left })}
          </span>
        </div>
      </form>
    </Modal>
  );
};
