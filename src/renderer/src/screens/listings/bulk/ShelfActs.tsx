import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallAnswer } from '../../../../../ipc/calls.ts';
import { callCore, type ListingRow } from '../../../api/call.ts';
import { useUsualCurrency } from '../../../api/queries.ts';
import { notifyError, useCoreQuery } from '../../../api/useCall.ts';
import { t } from '../../../i18n.ts';
import { maxBatchListings } from '../../approvals/batch/useBatches.ts';
import { countTargets, ShelfDialog, type ShelfTargets } from './ShelfDialog.tsx';
import { useCombinedRequest, type BulkRequest } from './useBulkEdit.ts';

const listNumberingResults = ({ numbered, kept, withoutPlace }: CallAnswer<'shelf.number'>): string[] => [
  t('shelf.numbered', { count: numbered }),
  ...(kept > 0 ? [t('shelf.kept', { count: kept })] : []),
  ...(withoutPlace > 0 ? [t('shelf.withoutPlace', { count: withoutPlace })] : []),
];

const showNumberingResult = (result: CallAnswer<'shelf.number'>): void =>
  void notifications.show({ message: listNumberingResults(result).join(' ') });

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
          <Menu.Item onClick={() => setOpen(true)}>{t('shelf.fields')}</Menu.Item>
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
