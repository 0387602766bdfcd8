import { memo, type CSSProperties } from 'react';
import { Link } from 'wouter';
import type { SheetPhoto, SheetRow } from '../../../api/call.ts';
import { formatNumber, formatSpan } from '../../../components/text/format.ts';
import { escapedText } from '../../../components/text/UntrustedText.tsx';
import { Picture } from '../../../components/Picture.tsx';
import { t } from '../../../i18n.ts';
import { dragPhotos, howOf, photoDropTarget } from '../arrange/PhotoTile.tsx';
import type { How } from '../arrange/photoSelection.ts';
import { atSheetPhoto } from './sheetPlace.ts';
import styles from './sheet.module.css';

/** What the rows have done; the same functions in every rendering, so that a row is drawn again only for its own sake. */
export type RowActs = {
  pick: (photoId: string, how: How) => void;
  splitBefore: (photoId: string) => void;
  joinBefore: (itemId: string) => void;
  /** What is dragged with a photo: itself, or all that are picked. */
  dragged: (photoId: string) => string[];
  drop: (itemId: string, photoIds: string[], before: string | null) => void;
};

type Gap = NonNullable<SheetPhoto['gap']>;

const pauseText = ({ pauseMs }: Gap): string => (pauseMs === null ? '' : formatSpan(pauseMs));

/** A gap or border in words: what a click does, the time between the shots, and whether it is worth a look. */
const gapLabel = (does: string, gap: Gap): string =>
  [does, pauseText(gap), gap.isUnsure ? t('sheet.unsureGap') : ''].filter(Boolean).join(', ');

/** The time between two shots, above the later one. */
const Pause = ({ gap }: { gap: Gap }) => (
  <span className={styles.pause} aria-hidden>
    {pauseText(gap)}
  </span>
);

type EdgeProps = { label: string; gap: Gap; kind: 'gap' | 'border'; onClick: () => void };

/** Before a photo: between two of an item a click has another one begin here, between two items it joins them. S and J do the same. */
const Edge = ({ label, gap, kind, onClick }: EdgeProps) => (
  <button
    type="button"
    tabIndex={-1}
    className={styles.edge}
    data-kind={kind}
    data-unsure={gap.isUnsure || undefined}
    aria-label={gapLabel(label, gap)}
    title={gapLabel(label, gap)}
    onClick={onClick}
  >
    {kind === 'gap' && <Pause gap={gap} />}
  </button>
);

type TileProps = { photo: SheetPhoto; place: string; picked: boolean; isHere: boolean; itemId: string; acts: RowActs };

const SheetTile = ({ photo, place, picked, isHere, itemId, acts }: TileProps) => (
  <button
    type="button"
    data-tile={photo.photoId}
    className={styles.tile}
    tabIndex={isHere ? 0 : -1}
    aria-pressed={picked}
    aria-label={`${place}: ${escapedText(photo.name)}`}
    draggable
    onDragStart={(event) => dragPhotos(event, acts.dragged(photo.photoId))}
    onClick={(event) => acts.pick(photo.photoId, howOf(event))}
    {...photoDropTarget((photoIds) => acts.drop(itemId, photoIds, photo.photoId))}
  >
    {photo.thumbUrl ? (
      <Picture src={photo.thumbUrl} alt="" draggable={false} loading="lazy" decoding="async" />
    ) : (
      <span className={styles.noPhoto} />
    )}
  </button>
);

type RowProps = {
  row: SheetRow;
  at: number;
  /** The ids of the picked photos of this row, as one text: the same text is the same picks. */
  picked: string;
  /** The photo of this row that the keys are at, or null. */
  here: string | null;
  acts: RowActs;
};

/** The number of an item, and the time since the one before; the whole item is dragged by it. */
const ItemHead = ({ row, at }: Pick<RowProps, 'row' | 'at'>) => {
  const border = row.photos[0]?.gap;
  const ids = row.photos.map(({ photoId }) => photoId);
  return (
    <div className={styles.head} draggable onDragStart={(event) => dragPhotos(event, ids)}>
      <Link
        href={`/items/${encodeURIComponent(row.itemId)}`}
        {...atSheetPhoto(ids[0] ?? '')}
        draggable={false}
        tabIndex={-1}
        aria-label={t('sheet.row', { at: at + 1, count: ids.length })}
      >
        {formatNumber(at + 1)}
      </Link>
      {at > 0 && border && <Pause gap={border} />}
      {row.isPreparing && (
        <span role="img" aria-label={t('sheet.preparing')} title={t('sheet.preparing')}>
          …
        </span>
      )}
    </div>
  );
};

/** As wide as its photos beside each other, so that one that is out of sight takes the room it will take. */
const widthOf = (photos: number): CSSProperties => ({
  flexBasis: `calc(var(--item-start) + ${photos} * var(--pitch) - var(--photo-gap))`,
});

const SheetItem = ({ row, at, picked, here, acts }: RowProps) => {
  const ids = new Set(picked.split(' '));
  const border = row.photos[0]?.gap;
  const of = row.photos.length;
  return (
    <li
      className={styles.item}
      style={widthOf(of)}
      aria-label={t('sheet.row', { at: at + 1, count: of })}
      {...photoDropTarget((photoIds) => acts.drop(row.itemId, photoIds, null))}
    >
      <ItemHead row={row} at={at} />
      {at > 0 && border && (
        <Edge kind="border" label={t('sheet.joinBefore')} gap={border} onClick={() => acts.joinBefore(row.itemId)} />
      )}
      {row.photos.map((photo, nth) => (
        <span key={photo.photoId} className={styles.place}>
          {nth > 0 && photo.gap && (
            <Edge
              kind="gap"
              label={t('sheet.splitHere', { name: escapedText(photo.name) })}
              gap={photo.gap}
              onClick={() => acts.splitBefore(photo.photoId)}
            />
          )}
          <SheetTile
            photo={photo}
            place={t('parts.photos.place', { at: nth + 1, of })}
            picked={ids.has(photo.photoId)}
            isHere={here === photo.photoId}
            itemId={row.itemId}
            acts={acts}
          />
        </span>
      ))}
    </li>
  );
};

/** One item of the sheet. Drawn again only when something of its own has changed. */
export const MemoSheetRow = memo(SheetItem);
