import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallAnswer, CallInput } from '../../../../../ipc/calls.ts';
import { callCore, type ListingRow } from '../../../api/call.ts';
import { useUsualCurrency } from '../../../api/queries.ts';
import { notifyError, useCoreQuery } from '../../../api/useCall.ts';
import { MoneyInputField } from '../../../components/fields/MoneyInput.tsx';
import { ErrorLine } from '../../../components/ScreenPage.tsx';
import { findMoneyProblem, parseCentsInput } from '../../../components/text/format.ts';
import { t } from '../../../i18n.ts';
import { maxBatchListings } from '../../approvals/batch/useBatches.ts';
import { parseTags } from '../../items/review/ShelfSection.tsx';
import styles from './bulk.module.css';
import { useCombinedRequest, type BulkRequest } from './useBulkEdit.ts';

/** The ids are in the order of the list. */
type ShelfTargets = Pick<CallInput<'shelf.change'>, 'itemIds' | 'listingIds'>;

const countTargets = ({ itemIds = [], listingIds = [] }: ShelfTargets): number => itemIds.length + listingIds.length;

const listNumberingResults = ({ numbered, kept, withoutPlace }: CallAnswer<'shelf.number'>): string[] => [
  t('shelf.numbered', { count: numbered }),
  ...(kept > 0 ? [t('shelf.kept', { count: kept })] : []),
  ...(withoutPlace > 0 ? [t('shelf.withoutPlace', { count: withoutPlace })] : []),
];

const showNumberingResult = (result: CallAnswer<'shelf.number'>): void =>
  void notifications.show({ message: listNumberingResults(result).join(' ') });

type DialogProps = { targets: ShelfTargets; currency: string; onClose: () => void };

const ShelfDialog = ({ targets, currency, onClose }: DialogProps) => {
  const form = useForm({
    initialValues: { place: '', cost: '', tags: '' },
    validate: { cost: (text) => (text.trim() === '' ? null : findMoneyProblem(text, { least: 0 })) },
  });
  const change = useMutation({
    mutationFn: (input: CallInput<'shelf.change'>) => callCore('shelf.change', input),
    onSuccess: onClose,
  });
  const submitShelf = form.onSubmit(({ place, cost, tags }) => {
    const minor = parseCentsInput(cost);
    const changes = {
      ...(place.trim() !== '' && { place }),
      ...(minor !== null && { cost: { minor, currency } }),
    };
    const addTags = parseTags(tags);
    change.mutate({ ...targets, changes, ...(addTags.length > 0 && { addTags }) });
  });
  return (
    <Modal opened onClose={onClose} title={t('shelf.dialog', { count: countTargets(targets) })} padding="lg">
      <form className={styles.form} onSubmit={submitShelf}>
        <TextInput label={t('shelf.place')} maxLength={50} data-autofocus {...form.getInputProps('place')} />
        <MoneyInputField
          label={t('shelf.cost')}
          currency={currency}
          value={form.values.cost}
          onChange={(cost) => form.setFieldValue('cost', cost)}
          error={form.errors['cost']}
        />
        <TextInput label={t('shelf.addTags')} description={t('shelf.tagsHint')} {...form.getInputProps('tags')} />
        <ErrorLine error={change.error} />
        <div className={styles.foot}>
          <Button type="submit" variant="ink" loading={change.isPending}>
            {t('shelf.save')}
          </Button>
          <span className={styles.soft}>{t('shelf.keepEmpty')}</span>
        </div>
      </form>
    </Modal>
  );
};

/** Live listings whose SKU at the marketplace is another one, as far as the companion knows. */
export const listSkusToSend = (rows: readonly ListingRow[]): BulkRequest[] =>
  rows.flatMap(({ listingId, status, shelf, sku, sentSku }) => {
    const wanted = shelf?.sku ?? null;
    if (status !== 'published' || wanted === null || wanted === (sku ?? sentSku)) return [];
    return { route: 'reviseListing', input: { params: { listingId }, body: { sku: wanted } } };
  });

type ShelfActsProps = {
  targets: ShelfTargets;
  currency: string | null;
  /** Changes of live listings, which the person approves together. */
  skusToSend?: readonly BulkRequest[];
};

/**
 * What a selection changes only on this computer: its place, cost and tags, and its SKUs in the order of the list. For
 * live listings, the SKUs can be sent with one approval.
 */
export const ShelfActs = ({ targets, currency, skusToSend = [] }: ShelfActsProps) => {
  const requestTogether = useCombinedRequest();
  const send = useMutation({ mutationFn: () => requestTogether(skusToSend), onError: notifyError });
  const [open, setOpen] = useState(false);
  const usual = useUsualCurrency();
  const last = useCoreQuery(['listings', 'shelf', 'lastEdit'], 'shelf.lastEdit', {}).data ?? null;
  const number = useMutation({
    mutationFn: () => callCore('shelf.number', targets),
    onSuccess: showNumberingResult,
    onError: notifyError,
  });
  const undo = useMutation({ mutationFn: () => callCore('shelf.undo', {}), onError: notifyError });
  return (
    <>
      <Menu position="top-end">
        <Menu.Target>
          <Button size="compact-sm" variant="quiet" disabled={countTargets(targets) === 0}>
            {t('shelf.open')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen(true)}>
            {[t('shelf.place'), t('shelf.cost'), t('shelf.tags')].join(', ')}
          </Menu.Item>
          <Menu.Item onClick={() => number.mutate()}>{t('shelf.number')}</Menu.Item>
          {skusToSend.length > 0 && (
            <Menu.Item disabled={send.isPending || skusToSend.length > maxBatchListings} onClick={() => send.mutate()}>
              {t('shelf.sendSku', { count: skusToSend.length })}
            </Menu.Item>
          )}
          {last && <Menu.Item onClick={() => undo.mutate()}>{t('shelf.undo')}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {open && <ShelfDialog targets={targets} currency={currency ?? usual} onClose={() => setOpen(false)} />}
    </>
  );
};
