import { memo, useDeferredValue } from 'react';
import { IconAlertTriangle, IconTag } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { ContactSheetRow, SheetItem } from '../../../api/call.ts';
import { useContactSheetRow, type KnownPhotos } from '../../../api/itemQueries.ts';
import { formatNumber, formatDuration } from '../../../components/text/format.ts';
import { escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { QueuedPicture } from '../../../components/CorePicture.tsx';
import { t } from '../../../i18n.ts';
import { startPhotoDrag, getPickMode, createPhotoDropTarget } from '../arrange/PhotoTile.tsx';
import type { PickMode } from '../arrange/photoSelection.ts';
import { getSheetPhotoNavigationOptions } from './sheetPlace.ts';
import type { ItemPlace } from './sheetView.ts';
import styles from './sheet.module.css';

/** The functions keep their references so that `memo` works. */
export type SheetRowActions = {
  pick: (photoId: string, how: PickMode) => void;
  splitBefore: (photoId: string) => void;
  joinBefore: (itemId: string) => void;
  /** If the photo is selected, returns the ids of all selected photos; otherwise returns only its own id. */
  dragged: (photoId: string) => string[];
  drop: (itemId: string, photoIds: string[], before: string | null) => void;
};

type ContactSheetPhoto = ContactSheetRow['photos'][number];
type Gap = NonNullable<ContactSheetPhoto['gap']>;

const formatPauseLength = ({ pauseMs }: Gap): string => (pauseMs === null ? '' : formatDuration(pauseMs));

const formatGapLabel = (does: string, gap: Gap): string =>
  [does, formatPauseLength(gap), gap.isUnsure ? t('sheet.unsureGap') : ''].filter(Boolean).join(', ');

const PauseLabel = ({ gap }: { gap: Gap }) => (
  <span className={styles.pause} aria-hidden>
    {formatPauseLength(gap)}
  </span>
);

type GapButtonProps = { label: string; gap: Gap; kind: 'gap' | 'border'; onClick: () => void };

const GapButton = ({ label, gap, kind, onClick }: GapButtonProps) => (
  <button
    type="button"
    tabIndex={-1}
    className={styles.edge}
    data-kind={kind}
    data-unsure={gap.isUnsure || undefined}
    aria-label={formatGapLabel(label, gap)}
    title={formatGapLabel(label, gap)}
    onClick={onClick}
  >
    {kind === 'gap' && gap.isUnsure && <PauseLabel gap={gap} />}
  </button>
);

type ContactSheetTileProps = {
  photoId: string;
  /** Undefined until the details are read. */
  photo: ContactSheetPhoto | undefined;
  place: string;
  picked: boolean;
  isHere: boolean;
  itemId: string;
  acts: SheetRowActions;
};

/** Memoized so that a change of one photo does not render the others. */
const ContactSheetTile = memo(({ photoId, photo, place, picked, isHere, itemId, acts }: ContactSheetTileProps) => (
  <button
    type="button"
    data-tile={photoId}
    className={styles.tile}
    tabIndex={isHere ? 0 : -1}
    aria-pressed={picked}
    data-label={photo?.isLabel || undefined}
    aria-label={[place, escapeHiddenText(photo?.name ?? ''), photo?.isLabel ? t('sheet.label') : '']
      .filter(Boolean)
      .join(': ')}
    title={photo?.isLabel ? t('sheet.label') : undefined}
    draggable
    onDragStart={(event) => startPhotoDrag(event, acts.dragged(photoId))}
    onClick={(event) => acts.pick(photoId, getPickMode(event))}
    {...createPhotoDropTarget((photoIds) => acts.drop(itemId, photoIds, photoId))}
  >
    {photo?.thumbUrl ? (
      <QueuedPicture src={photo.thumbUrl} alt="" draggable={false} decoding="async" />
    ) : (
      <span className={styles.noPhoto} />
    )}
    {photo?.isLabel && <IconTag className={styles.label} size={20} aria-hidden />}
  </button>
));
ContactSheetTile.displayName = 'ContactSheetTile';

type RowProps = {
  row: SheetItem;
  at: number;
  /** The number of items. */
  total: number;
  place: ItemPlace;
  /** The selected ids as one string, so that `memo` can compare them. */
  picked: string;
  here: string | null;
  acts: SheetRowActions;
  known: KnownPhotos;
};

type SheetItemHeaderProps = Pick<RowProps, 'row' | 'at'> & { border: Gap | null; isPreparing: boolean };

const SheetItemHeader = ({ row, at, border, isPreparing }: SheetItemHeaderProps) => {
  const { photoIds } = row;
  return (
    <div className={styles.head} draggable onDragStart={(event) => startPhotoDrag(event, photoIds)}>
      <Link
        href={`/items/${encodeURIComponent(row.itemId)}`}
        {...getSheetPhotoNavigationOptions(photoIds[0] ?? '')}
        draggable={false}
        tabIndex={-1}
        aria-label={t('sheet.row', { at: at + 1, count: photoIds.length })}
      >
        {formatNumber(at + 1)}
      </Link>
      {at > 0 && border && <PauseLabel gap={border} />}
      {row.reviewReason === 'liveDuplicate' && (
        <IconAlertTriangle size={14} role="img" aria-label={t('items.liveDuplicate')}>
          <title>{t('items.liveDuplicate')}</title>
        </IconAlertTriangle>
      )}
      {isPreparing && (
        <span role="img" aria-label={t('sheet.preparing')} title={t('sheet.preparing')}>
          …
        </span>
      )}
    </div>
  );
};

const SheetItemContent = ({ row, at, picked, here, acts, known }: Omit<RowProps, 'total' | 'place'>) => {
  // The details of all visible items arrive at once. They render in parts, so that they block no frame.
  const details = useDeferredValue(useContactSheetRow(row, known));
  const photos = new Map(details?.photos.map((photo) => [photo.photoId, photo]));
  const ids = new Set(picked.split(' '));
  const [firstId = ''] = row.photoIds;
  const border = photos.get(firstId)?.gap ?? null;
  const of = row.photoIds.length;
  return (
    <>
      <SheetItemHeader {...{ row, at, border }} isPreparing={details?.isPreparing ?? false} />
      {at > 0 && border && (
        <GapButton
          kind="border"
          label={t('sheet.joinBefore')}
          gap={border}
          onClick={() => acts.joinBefore(row.itemId)}
        />
      )}
      {row.photoIds.map((photoId, nth) => {
        const photo = photos.get(photoId);
        return (
          <span key={photoId} className={styles.place}>
            {nth > 0 && photo?.gap && (
              <GapButton
                kind="gap"
                label={t('sheet.splitHere', { name: escapeHiddenText(photo.name) })}
                gap={photo.gap}
                onClick={() => acts.splitBefore(photoId)}
              />
            )}
            <ContactSheetTile
              {...{ photoId, photo, acts }}
              place={t('parts.photos.place', { at: nth + 1, of })}
              picked={ids.has(photoId)}
              isHere={here === photoId}
              itemId={row.itemId}
            />
          </span>
        );
      })}
    </>
  );
};

const ContactSheetItem = ({ total, place, ...content }: RowProps) => {
  const { row, at, acts } = content;
  return (
    <li
      className={styles.item}
      style={{ insetInlineStart: place.left, top: place.top, width: place.width, height: place.height }}
      data-item={row.itemId}
      aria-label={t('sheet.row', { at: at + 1, count: row.photoIds.length })}
      aria-posinset={at + 1}
      aria-setsize={total}
      {...createPhotoDropTarget((photoIds) => acts.drop(row.itemId, photoIds, null))}
    >
      <SheetItemContent {...content} />
    </li>
  );
};

export const MemoSheetRow = memo(ContactSheetItem);
