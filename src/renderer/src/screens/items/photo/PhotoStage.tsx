import { type PointerEvent, useId, type CSSProperties } from 'react';
import {
  getCropAmount,
  isWholePicture,
  moveRect,
  cropRectSide,
  type Side,
  computeFillScale,
  computeBrightnessGamma,
  type PhotoDraft,
} from './photoDraft.ts';
import type { Rect } from '../../../../../core/base/rotateEdits.ts';
import styles from './photo.module.css';
import type { PhotoView } from '../../../api/call.ts';
import { t } from '../../../i18n.ts';
import { CorePicture } from '../../../components/CorePicture.tsx';
import { followPointer, type PhotoZoom } from './usePhotoZoom.ts';

const cropHandles: readonly (readonly Side[])[] = [
  ['top', 'left'],
  ['top', 'right'],
  ['bottom', 'left'],
  ['bottom', 'right'],
  ['top'],
  ['right'],
  ['bottom'],
  ['left'],
];

/** For example, 0.5 becomes "50%". */
const toCssPercent = (part: number): string => `${part * 100}%`;

/** `dx` and `dy` are fractions of the frame. */
const dragRectSide = (rect: Rect, side: Side, dx: number, dy: number): Rect => {
  const by = { left: dx, right: -dx, top: dy, bottom: -dy }[side];
  return cropRectSide(rect, side, getCropAmount(rect, side) + by);
};

type DragRect = (start: Rect, dx: number, dy: number) => Rect;

const dragPart = (
  event: PointerEvent<HTMLElement>,
  start: Rect,
  pull: DragRect,
  onPart: (part: Rect) => void,
): void => {
  const draggedElement: HTMLElement = event.currentTarget;
  const frame = draggedElement.closest('[data-frame]')?.getBoundingClientRect();
  if (!frame || event.button !== 0) return;
  event.preventDefault();
  event.stopPropagation();
  const { clientX, clientY } = event;
  followPointer(draggedElement, event.pointerId, (now) =>
    onPart(pull(start, (now.clientX - clientX) / frame.width, (now.clientY - clientY) / frame.height)),
  );
};

/** Hidden from screen readers, because the number fields have the same function. */
const CropFrame = ({ part, onPart }: { part: Rect; onPart: (part: Rect) => void }) => (
  <div className={styles.cutting} data-frame aria-hidden>
    <div
      className={styles.part}
      data-cut={!isWholePicture(part) || undefined}
      style={{
        left: toCssPercent(part.left),
        top: toCssPercent(part.top),
        width: toCssPercent(part.width),
        height: toCssPercent(part.height),
      }}
      onPointerDown={(event) => dragPart(event, part, moveRect, onPart)}
    >
      {cropHandles.map((sides) => (
        <span
          key={sides.join()}
          className={styles.handle}
          data-at={sides.join(' ')}
          onPointerDown={(event) =>
            dragPart(
              event,
              part,
              (start, dx, dy) => sides.reduce((rect, side) => dragRectSide(rect, side, dx, dy), start),
              onPart,
            )
          }
        />
      ))}
    </div>
  </div>
);

type Props = {
  photo: PhotoView;
  alt: string;
  draft: PhotoDraft;
  zoom: PhotoZoom;
  onSize: (size: PictureSize) => void;
  size: PictureSize;
  onPart: ((part: Rect) => void) | null;
};

/** In pixels, before the turns of the draft. */
export type PictureSize = { width: number; height: number };

const getPictureStyle = ({ edits }: PhotoView, draft: PhotoDraft, ratio: number, filter: string): CSSProperties => {
  const degrees = draft.straightenDeg - edits.straightenDeg;
  const lies = draft.turns % 2 === 1;
  return {
    width: lies ? toCssPercent(1 / ratio) : '100%',
    height: lies ? toCssPercent(ratio) : '100%',
    transform: `translate(-50%, -50%) rotate(${draft.turns * 90 + degrees}deg) scale(${computeFillScale(degrees, ratio)})`,
    filter,
  };
};

/** The photo can be cropped only while all of it is in view. */
export const PhotoStage = ({ photo, alt, draft, zoom, size, onSize, onPart }: Props) => {
  const filterId = useId();
  const url = photo.fullUrl ?? photo.thumbUrl;
  if (!url) return <div className={styles.stage}>{t('parts.photos.making')}</div>;
  const upright = size.width / size.height;
  const ratio = draft.turns % 2 === 1 ? 1 / upright : upright;
  const exponent = computeBrightnessGamma(photo.edits, draft);
  return (
    <div
      ref={zoom.setStage}
      className={styles.stage}
      data-zoomed={!zoom.isWhole || undefined}
      onPointerDown={zoom.drag}
      onDoubleClick={zoom.toggleActualSize}
    >
      <svg className={styles.unseen} aria-hidden>
        <filter id={filterId} colorInterpolationFilters="sRGB">
          <feComponentTransfer>
            <feFuncR type="gamma" exponent={exponent} />
            <feFuncG type="gamma" exponent={exponent} />
            <feFuncB type="gamma" exponent={exponent} />
          </feComponentTransfer>
        </filter>
      </svg>
      <div
        className={styles.frame}
        data-photo-frame={zoom.scale}
        style={{ aspectRatio: ratio, width: `calc(min(100cqw, 100cqh * ${ratio}) * ${zoom.scale})` }}
      >
        <CorePicture
          src={url}
          alt={alt}
          draggable={false}
          style={getPictureStyle(photo, draft, ratio, exponent === 1 ? 'none' : `url(#${CSS.escape(filterId)})`)}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => onSize({ width, height })}
        />
        {onPart && zoom.isWhole && <CropFrame part={draft.part} onPart={onPart} />}
      </div>
    </div>
  );
};
