import { ActionIcon, Button } from '@mantine/core';
import { IconArrowLeft, IconPrinter } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { callCore } from '../../api/call.ts';
import { notifyError, useCoreQuery } from '../../api/useCall.ts';
import { CorePicture } from '../../components/CorePicture.tsx';
import { useScreenKeys } from '../../components/Keys.tsx';
import { useRowKeys } from '../../components/lists/useRowKeys.ts';
import { useScanHandler } from '../../components/scanner/scanHandlers.ts';
import { EmptyScreen, ErrorLine } from '../../components/ScreenPage.tsx';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { escapeHiddenText, UntrustedText } from '../../components/text/UntrustedText.tsx';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { t } from '../../i18n.ts';
import styles from './pickList.module.css';

type PickListView = CallAnswer<'shelf.pickList'>;
type PickRow = PickListView['rows'][number];

/** The pick list has the path of a listing with this id. */
export const pickListId = 'to-send';

const pickListKey = ['listings', 'pickList'];

const usePickList = () => useCoreQuery(pickListKey, 'shelf.pickList', {});

const isOpen = ({ sentAt }: PickRow): boolean => sentAt === null;

/** Opens the list. Shows the number of parcels to send. */
export const PickListButton = () => {
  const open = usePickList().data?.rows.filter(isOpen).length ?? 0;
  return (
    <Button component={Link} href={`/listings/${pickListId}`} size="compact-sm" variant="quiet">
      {open === 0 ? t('toSend.title') : `${t('toSend.title')} (${open})`}
    </Button>
  );
};

const formatRowName = ({ place, sku, title }: PickRow): string =>
  [place, sku, title ?? t('listings.untitled')]
    .filter((part) => part !== null)
    .map(escapeHiddenText)
    .join(' · ');

/** Shows the tick at once, because the next scan can follow within a second. */
const useMarkSent = () => {
  const client = useQueryClient();
  const put = (listingId: string, sentAt: number | null): void =>
    void client.setQueryData<PickListView>(
      pickListKey,
      (before) =>
        before && {
          ...before,
          rows: before.rows.map((row) => (row.listingId === listingId ? { ...row, sentAt } : row)),
        },
    );
  return useMutation({
    mutationFn: ({ listingId, sent }: { listingId: string; sent: boolean }) =>
      callCore('shelf.markSent', { listingIds: [listingId], sent }),
    onMutate: ({ listingId, sent }) => put(listingId, sent ? Date.now() : null),
    onError: (error, { listingId, sent }) => {
      put(listingId, sent ? null : Date.now());
      notifyError(error);
    },
  }).mutate;
};

/** As in the core, the case of an SKU does not matter. */
const isSameSku = (sku: string | null, code: string): boolean =>
  sku?.trim().toLowerCase() === code.trim().toLowerCase();

/** A scan ticks the line with its SKU. Returns the sentence that says what the scan has done. */
const useTickByScan = (rows: readonly PickRow[], tick: (row: PickRow) => void): string => {
  const [said, setSaid] = useState('');
  useScanHandler((code) => {
    const sku = escapeHiddenText(code);
    const found = rows.filter((row) => isSameSku(row.sku, code));
    const [first, ...others] = found.filter(isOpen);
    if (found.length === 0) setSaid(t('toSend.notSold', { sku }));
    else if (first === undefined) setSaid(t('toSend.alreadySent', { sku }));
    else if (others.length > 0) setSaid(t('toSend.several', { sku }));
    else {
      tick(first);
      setSaid(t('toSend.ticked', { name: formatRowName(first) }));
    }
    return true;
  });
  return said;
};

const PickLine = ({ row, onTick }: { row: PickRow; onTick: (sent: boolean) => void }) => (
  <li className={styles.row} data-sent={!isOpen(row) || undefined}>
    <label className={styles.tick}>
      <input
        data-row
        type="checkbox"
        aria-label={t('toSend.tick', { name: formatRowName(row) })}
        checked={!isOpen(row)}
        onChange={({ currentTarget }) => onTick(currentTarget.checked)}
      />
    </label>
    <b className={styles.place}>{row.place === null ? t('toSend.noPlace') : escapeHiddenText(row.place)}</b>
    <b className={styles.sku}>{row.sku !== null && escapeHiddenText(row.sku)}</b>
    {row.photoUrl ? (
      <CorePicture src={row.photoUrl} alt="" width={40} height={40} />
    ) : (
      <span className={styles.noPhoto} />
    )}
    <span className={styles.texts}>
      <Link href={`/listings/${encodeURIComponent(row.listingId)}`} className={styles.title}>
        <UntrustedText text={row.title ?? t('listings.untitled')} fold={300} />
      </Link>
      <span className={styles.detail}>
        {row.buyer !== null && (
          <>
            <UntrustedText text={row.buyer} fold={80} />
            {' · '}
          </>
        )}
        {row.soldAt === null ? (
          t('toSend.dateUnknown')
        ) : (
          <Trans i18nKey="toSend.sold" components={{ when: <RelativeTime at={row.soldAt} /> }} />
        )}
      </span>
    </span>
  </li>
);

const PickListHeader = ({ rows, said }: { rows: readonly PickRow[]; said: string }) => {
  const open = rows.filter(isOpen).length;
  return (
    <header className={styles.top}>
      <ActionIcon component={Link} href="/listings" size="md" aria-label={t('toSend.back')}>
        <IconArrowLeft size={18} aria-hidden />
      </ActionIcon>
      <div className={styles.words}>
        <h1>{t('toSend.title')}</h1>
        <p>{open > 0 ? t('toSend.count', { count: open }) : rows.length > 0 && t('toSend.done')}</p>
      </div>
      {open > 0 && (
        <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
          {t('toSend.print')}
        </Button>
      )}
      {rows.length > 0 && <p className={styles.hint}>{t('toSend.hint')}</p>}
      <p role="status" className={styles.said}>
        {said}
      </p>
    </header>
  );
};

const noRows: readonly PickRow[] = [];

/** The sold items to find, pack and send, in the order of their places. */
export const PickList = () => {
  const [, go] = useLocation();
  const { data, error } = usePickList();
  const markSent = useMarkSent();
  const rows = data?.rows ?? noRows;
  const said = useTickByScan(rows, ({ listingId }) => markSent({ listingId, sent: true }));
  useRowKeys();
  useScreenKeys({ Escape: () => go('/listings') });
  return (
    <section className={styles.screen} aria-label={t('toSend.title')}>
      <PickListHeader rows={rows} said={said} />
      <ErrorLine error={error} />
      <div className={styles.scroll}>
        {data && rows.length === 0 && (
          <div className={styles.none}>
            <EmptyScreen title={t('toSend.emptyTitle')}>
              <p>{t('toSend.empty')}</p>
            </EmptyScreen>
          </div>
        )}
        <ul className={styles.rows} aria-label={t('toSend.list')}>
          {rows.map((row) => (
            <PickLine key={row.listingId} row={row} onTick={(sent) => markSent({ listingId: row.listingId, sent })} />
          ))}
        </ul>
        {data && data.undated > 0 && <p className={styles.undated}>{t('toSend.undated', { count: data.undated })}</p>}
      </div>
    </section>
  );
};
