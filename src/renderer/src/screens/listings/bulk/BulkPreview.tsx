import { Button } from '@mantine/core';
import type { ListingRow } from '../../../api/call.ts';
import { CorePicture } from '../../../components/CorePicture.tsx';
import { UntrustedText, escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { t } from '../../../i18n.ts';
import { formatListingTitle } from '../ListingViews.tsx';
import { numericFields, type BulkChange, type BulkField, type BulkPlan } from './bulkChanges.ts';
import styles from './bulk.module.css';

export type RowChoices = {
  out: ReadonlySet<string>;
  removed: ReadonlySet<string>;
  onOut: (listingId: string) => void;
  /** With `range`, includes all rows since the last toggled row. Null if rows cannot be removed. */
  onRemove: ((listingId: string, range: boolean) => void) | null;
};

const PreviewRowHeader = ({ row }: { row: ListingRow }) => (
  <th scope="row" className={styles.what}>
    {row.photoUrl ? (
      <CorePicture src={row.photoUrl} alt="" width={32} height={32} loading="lazy" />
    ) : (
      <span className={styles.noPhoto} />
    )}
    <UntrustedText text={formatListingTitle(row)} fold={120} flag={false} />
  </th>
);

const formatRemoveLabel = ({ live }: BulkChange): string =>
  t(live ? 'listings.bulk.endInstead' : 'listings.bulk.discardInstead');

const PreviewChangeRow = ({ change, choices }: { change: BulkChange; choices: RowChoices }) => {
  const { listingId } = change.row;
  const name = escapeHiddenText(formatListingTitle(change.row));
  const removed = choices.removed.has(listingId);
  const out = choices.out.has(listingId);
  const { onRemove } = choices;
  return (
    <tr data-out={out || undefined}>
      <td className={styles.tick}>
        <input
          type="checkbox"
          aria-label={t('listings.bulk.include', { name })}
          checked={!out}
          onChange={() => choices.onOut(listingId)}
        />
      </td>
      <PreviewRowHeader row={change.row} />
      <td data-side="before">
        <UntrustedText text={change.before} fold={80} flag={false} />
      </td>
      <td data-side="after">
        {removed && !out ? (
          <b className={styles.removed}>{t(change.live ? 'listings.bulk.ends' : 'listings.bulk.discarded')}</b>
        ) : (
          <b>
            <UntrustedText text={out ? change.before : change.after} fold={80} flag={false} />
          </b>
        )}
      </td>
      {onRemove && (
        <td className={styles.act}>
          <Button
            size="compact-sm"
            variant="quiet"
            disabled={out}
            aria-pressed={removed}
            aria-label={`${formatRemoveLabel(change)}: ${name}`}
            onClick={({ shiftKey }) => onRemove(listingId, shiftKey)}
          >
            {formatRemoveLabel(change)}
          </Button>
        </td>
      )}
    </tr>
  );
};

const SkippedRows = ({ left, wide }: { left: BulkPlan['left']; wide: number }) =>
  left.map(({ row, why }) => (
    <tr key={row.listingId} data-left>
      <td />
      <PreviewRowHeader row={row} />
      <td colSpan={wide} className={styles.why}>
        {t(`listings.bulk.why.${why}`)}
      </td>
    </tr>
  ));

export const BulkPreviewTable = ({
  field,
  plan,
  choices,
}: {
  field: BulkField;
  plan: BulkPlan;
  choices: RowChoices;
}) => (
  <div className={styles.preview} tabIndex={0} role="group" aria-label={t('listings.bulk.preview')}>
    <table data-figures={numericFields.includes(field) || undefined}>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('listings.column.title')}</th>
          <th scope="col" data-side="before">
            {t('listings.bulk.before')}
          </th>
          <th scope="col" data-side="after">
            {t('listings.bulk.after')}
          </th>
          {choices.onRemove && <td />}
        </tr>
      </thead>
      <tbody>
        {plan.changes.map((change) => (
          <PreviewChangeRow key={change.row.listingId} change={change} choices={choices} />
        ))}
        <SkippedRows left={plan.left} wide={choices.onRemove ? 3 : 2} />
      </tbody>
    </table>
  </div>
);
