import { memo } from 'react';
import { Link } from 'wouter';
import type { SheetPhoto, SheetRow } from '../../../api/call.ts';
import { formatSpan } from '../../../components/text/format.ts';
import { escapedText } from '../../../components/text/UntrustedText.tsx';
import { Picture } from '../../../components/Picture.tsx';
import { t } from '../../../i18n.ts';
import { dragPhotos, howOf, photoDropTarget } from '../arrange/PhotoTile.tsx';
import type { How } from '../arrange/photoSelection.ts';
import styles from './sheet.module.css';

/** What the rows have done; the same functions in every rendering, so that a row is drawn again only for its own sake. */
export type RowActs = {
  pick: (photoId: string, how: How) => void;
  splitBefore: (photoId: string) => void;
  joinAbove: (itemId: string) => void;
  /** What is dragged with a photo: itself, or all that are picked. */
  dragged: (photoId: string) => string[];
  drop: (itemId: string, photoIds: string[], before: string | null) => void;
};

type Gap = NonNullable<SheetPhoto['gap']>;

const pauseText = ({ pauseMs }: Gap): string => (pauseMs === null ? '' : formatSpan(pauseMs));

/** A gap or border in words: what a click does, the time between the shots, and whether it is worth a look. */
const gapLabel = (does: string, gap: Gap): string =>
  [does, pauseText(gap), gap.isUnsure ? t('sheet.unsureGap') : ''].filter(Boolean).join(', ');

/** Between two photos of an item: a click has another item begin here. S on the photo does the same. */
const GapButton = ({ photo, gap, onSplit }: { photo: SheetPhoto; gap: Gap; onSplit: () => void }) => (
  <button
    type="button"
    tabIndex={-1}
    className={styles.gap}
    data-unsure={gap.isUnsure || undefined}
    aria-label={gapLabel(t('sheet.splitHere', { name: escapedText(photo.name) }), gap)}
    title={gapLabel(t('sheet.splitHere', { name: escapedText(photo.name) }), gap)}
    onClick={onSplit}
  >
    <span aria-hidden>{pauseText(gap)}</span>
  </button>
);

/** Between two items: a click joins them. J does the same. */
const BorderButton = ({ gap, onJoin }: { gap: Gap; onJoin: () => void }) => (
  <button
    type="button"
    tabIndex={-1}
    className={styles.border}
    data-unsure={gap.isUnsure || undefined}
    aria-label={gapLabel(t('sheet.joinAbove'), gap)}
    onClick={onJoin}
  >
    <span>{t('sheet.joinAbove')}</span>
    <span>{pauseText(gap)}</span>
    {gap.isUnsure && <span>{t('sheet.unsureGap')}</span>}
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

const SheetItem = ({ row, at, picked, here, acts }: RowProps) => {
  const ids = new Set(picked.split(' '));
  const border = row.photos[0]?.gap;
  const of = row.photos.length;
  return (
    <li
      className={styles.item}
      aria-label={t('sheet.row', { at: at + 1, count: of })}
      {...photoDropTarget((photoIds) => acts.drop(row.itemId, photoIds, null))}
    >
      {at > 0 && border && <BorderButton gap={border} onJoin={() => acts.joinAbove(row.itemId)} />}
      <div
        className={styles.head}
        draggable
        onDragStart={(event) =>
          dragPhotos(
            event,
            row.photos.map(({ photoId }) => photoId),
          )
        }
      >
        <Link href={`/items/${encodeURIComponent(row.itemId)}`} draggable={false} tabIndex={-1}>
          {t('sheet.row', { at: at + 1, count: of })}
        </Link>
        {row.isPreparing && <span>{t('sheet.preparing')}</span>}
      </div>
      <div className={styles.photos}>
        {row.photos.map((photo, nth) => (
          <span key={photo.photoId} className={styles.place}>
            {nth > 0 && photo.gap && (
              <GapButton photo={photo} gap={photo.gap} onSplit={() => acts.splitBefore(photo.photoId)} />
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
      </div>
    </li>
  );
};

/** One item of the sheet. Drawn again only when something of its own has changed. */
export const MemoSheetRow = memo(SheetItem);
