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

/** The actions of the rows; referentially stable so that memo works. */
export type RowActs = {
  pick: (photoId: string, how: How) => void;
  splitBefore: (photoId: string) => void;
  joinBefore: (itemId: string) => void;
  /** Returns the ids that are dragged with a photo: itself, or all selected photos. */
  dragged: (photoId: string) => string[];
  drop: (itemId: string, photoIds: string[], before: string | null) => void;
};

type Gap = NonNullable<SheetPhoto['gap']>;

const pauseText = ({ pauseMs }: Gap): string => (pauseMs === null ? '' : formatSpan(pauseMs));

/** Describes a gap or border: the action on click, the time between the photos, and whether the grouping is unsure. */
const gapLabel = (does: string, gap: Gap): string =>
  [does, pauseText(gap), gap.isUnsure ? t('sheet.unsureGap') : ''].filter(Boolean).join(', ');

const Pause = ({ gap }: { gap: Gap }) => (
  <span className={styles.pause} aria-hidden>
    {pauseText(gap)}
  </span>
);

type EdgeProps = { label: string; gap: Gap; kind: 'gap' | 'border'; onClick: () => void };

/** The button before a photo: splits the item there, or joins it with the previous one. Same as keys S and J. */
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
  /** The ids of the selected photos of this row, joined into a string so that memo can compare them. */
  picked: string;
  /** The current photo if it is in this row. */
  here: string | null;
  acts: RowActs;
};

/** The number of an item and the time since the previous one. Dragging it drags the whole item. */
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

/** Returns the width of an item with this many photos, so that an item that is not rendered keeps its space. */
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

/** A row of the contact sheet; memoised. */
export const MemoSheetRow = memo(SheetItem);
