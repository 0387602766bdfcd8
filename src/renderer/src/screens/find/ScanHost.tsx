import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { callCore } from '../../api/call.ts';
import { createItemQuery } from '../../api/itemQueries.ts';
import { notifyError } from '../../api/useCall.ts';
import { offerScan } from '../../components/scanner/scanHandlers.ts';
import { useScanner } from '../../components/scanner/useScanner.ts';
import { escapeHiddenText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n.ts';
import { findQuery } from './FindDialogLauncher.tsx';

const scanId = 'scan';
const maxSkuChars = 50;

const showUnknownSku = (code: string): void => {
  const search = (): void => {
    notifications.hide(scanId);
    findQuery.set(code);
  };
  notifications.hide(scanId);
  notifications.show({
    id: scanId,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {t('find.scan.unknown', { sku: escapeHiddenText(code) })}
        <Button size="compact-sm" onClick={search}>
          {t('find.scan.search')}
        </Button>
      </Group>
    ),
  });
};

/** Opens the item whose SKU a scanner has read. */
export const ScanHost = () => {
  const [, go] = useLocation();
  const client = useQueryClient();
  const openScannedItem = async (code: string): Promise<void> => {
    const found = code.length > maxSkuChars ? [] : await callCore('shelf.find', { sku: code });
    const [first, ...others] = found;
    if (first === undefined) return showUnknownSku(code);
    notifications.hide(scanId);
    if (others.length > 0) return findQuery.set(`sku:"${code}"`);
    const { itemId, listingId } = first;
    if (itemId === null) return go(`/listings/${encodeURIComponent(listingId ?? '')}`);
    // The screen is then drawn once, with the item. If the item cannot be read, the screen says why.
    await client.prefetchQuery(createItemQuery(itemId));
    go(`/items/${encodeURIComponent(itemId)}`);
  };
  useScanner((code) => {
    if (offerScan(code)) return;
    // Another screen would close a dialog with what the person typed in it.
    if (document.querySelector('[role=dialog]') !== null)
      return void notifications.show({ id: scanId, message: t('find.scan.dialog') });
    openScannedItem(code).catch(notifyError);
  });
  return null;
};
