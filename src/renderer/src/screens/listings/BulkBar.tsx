import { Button } from '@mantine/core';
import { useScreenKeys } from '../../components/Keys.tsx';
import { editableStatuses } from '../../../../contract/index.ts';
import type { ListingRow } from '../../api/call.ts';
import { ActionButton } from '../../components/acts/offeredActs.tsx';
import { ErrorLine, ProblemLine } from '../../components/ScreenPage.tsx';
import { SelectionBar, SelectionRow } from '../../components/lists/SelectionBar.tsx';
import { t } from '../../i18n.ts';
import { maxBatchListings, useBatchPublishRequest } from '../approvals/batch/useBatches.ts';
import styles from './listings.module.css';
import type { ListingSelection } from './useListings.ts';
import { listSkusToSend, ShelfActs } from './bulk/ShelfActs.tsx';
import { areTooManyRows, BulkActs, canBeRelisted, useBulkActs } from './bulk/BulkActs.tsx';

type PublishDraftsProps = {
  listingIds: readonly string[];
  disabled: boolean;
  hasKey: boolean;
  about: string;
  onAsked: () => void;
};

const PublishDraftsButton = ({ listingIds, disabled, hasKey, about, onAsked }: PublishDraftsProps) => {
  const publish = useBatchPublishRequest(onAsked);
  const requestBatchPublish = (): void => {
    if (!disabled && !publish.busy) publish.ask(listingIds);
  };
  useScreenKeys(hasKey ? { p: requestBatchPublish } : {});
  return (
    <>
      <ActionButton
        act="selection"
        about={about}
        size="compact-sm"
        variant="ink"
        aria-keyshortcuts="P"
        loading={publish.busy}
        disabled={disabled}
        onClick={requestBatchPublish}
      >
        {t('items.publishMany', { count: listingIds.length })}
      </ActionButton>
      <ErrorLine error={publish.error} />
    </>
  );
};

/** The bar shows at most this many buttons. A menu has the other actions. */
const maxButtons = 4;

/** `covered` means that an open listing covers the list and handles the keys. */
type BulkBarProps = {
  chosen: ListingSelection;
  total: number;
  covered: boolean;
  onAll: () => void;
  /** Brings the selected rows into the list. */
  onShow: () => void;
};

const canBeChanged = (row: ListingRow): boolean => row.status === 'published' || editableStatuses.includes(row.status);

export const BulkActionBar = ({ chosen, total, covered, onAll, onShow }: BulkBarProps) => {
  // Listings that could not be changed or requested stay selected.
  const { acts, busy, error, dialog } = useBulkActs(chosen.rows, chosen.take);
  const { rows } = chosen;
  const ready = rows.filter(({ status }) => status === 'pending_review');
  const idle = areTooManyRows(rows) || busy;
  const about = t('listings.selected', { count: chosen.total });
  const all =
    total > maxBatchListings ? t('listings.selectFirst', { count: maxBatchListings }) : t('listings.selectAll');
  const hasActs = rows.some((row) => canBeChanged(row) || canBeRelisted(row));
  return (
    <SelectionBar>
      <SelectionRow
        summary={about}
        hidden={{ count: chosen.hidden, show: onShow }}
        clear={{ label: t('listings.clear'), run: chosen.clear }}
      >
        {rows.length < Math.min(total, maxBatchListings) && (
          <Button variant="quiet" size="compact-sm" onClick={onAll}>
            {all}
          </Button>
        )}
        {ready.length > 0 && (
          <PublishDraftsButton
            listingIds={ready.map(({ listingId }) => listingId)}
            disabled={idle}
            hasKey={!covered}
            about={about}
            onAsked={() => chosen.take(rows.filter((row) => !ready.includes(row)))}
          />
        )}
        <BulkActs acts={acts} places={ready.length > 0 ? maxButtons - 1 : maxButtons} about={about} disabled={idle} />
        <ShelfActs
          targets={{ listingIds: rows.map(({ listingId }) => listingId) }}
          currency={rows[0]?.currency ?? null}
          skusToSend={listSkusToSend(rows)}
        />
      </SelectionRow>
      {rows.length > 0 && !hasActs && <span className={styles.soft}>{t('listings.onlyLive')}</span>}
      {areTooManyRows(rows) && <ProblemLine>{t('listings.bulk.tooMany', { count: maxBatchListings })}</ProblemLine>}
      <ErrorLine error={error} />
      {dialog}
    </SelectionBar>
  );
};
