import { type PointerEvent, useId, useState, type CSSProperties } from 'react';
import { cutAt, isWhole, moved, withCut, type Rect, type Side, filling, gamma, type PhotoDraft } from './photoDraft.ts';
import styles from './photo.module.css';
import type { PhotoView } from '../../../api/call.ts';
import { t } from '../../../i18n.ts';
import { Picture } from '../../../components/Picture.tsx';

const handles: readonly (readonly Side[])[] = [
  ['top', 'left'],
  ['top', 'right'],
  ['bottom', 'left'],
  ['bottom', 'right'],
  ['top'],
  ['right'],
  ['bottom'],
  ['left'],
];

/** Formats a fraction for CSS: 0.5 is "50%". */
const percent = (part: number): string => `${part * 100}%`;

/** Moves a side of the rectangle by a fraction of the frame's width and height. */
const pulled = (rect: Rect, side: Side, dx: number, dy: number): Rect => {
  const by = { left: dx, right: -dx, top: dy, bottom: -dy }[side];
  return withCut(rect, side, cutAt(rect, side) + by);
};

type Pull = (start: Rect, dx: number, dy: number) => Rect;

const follow = (event: PointerEvent<HTMLElement>, start: Rect, pull: Pull, onPart: (part: Rect) => void): void => {
  const held: HTMLElement = event.currentTarget;
  const frame = held.closest('[data-frame]')?.getBoundingClientRect();
  if (!frame || event.button !== 0) return;
  event.preventDefault();
  event.stopPropagation();
  held.setPointerCapture(event.pointerId);
  const { clientX, clientY } = event;
  const letGo = new AbortController();
  const { signal } = letGo;
  held.addEventListener(
    'pointermove',
    (now) => onPart(pull(start, (now.clientX - clientX) / frame.width, (now.clientY - clientY) / frame.height)),
    { signal },
  );
  for (const end of ['pointerup', 'pointercancel'] as const)
    held.addEventListener(end, () => letGo.abort(), { signal });
};

/** The crop frame with pointer handles. Hidden from screen readers because the number fields do the same. */
const CutFrame = ({ part, onPart }: { part: Rect; onPart: (part: Rect) => void }) => (
  <div className={styles.cutting} data-frame aria-hidden>
    <div
      className={styles.part}
      data-cut={!isWhole(part) || undefined}
      style={{
        left: percent(part.left),
        top: percent(part.top),
        width: percent(part.width),
        height: percent(part.height),
      }}
      onPointerDown={(event) => follow(event, part, moved, onPart)}
    >
      {handles.map((sides) => (
        <span
          key={sides.join()}
          className={styles.handle}
          data-at={sides.join(' ')}
          onPointerDown={(event) =>
            follow(
              event,
              part,
              (start, dx, dy) => sides.reduce((rect, side) => pulled(rect, side, dx, dy), start),
              onPart,
            )
          }
        />
      ))}
    </div>
  </div>
);

type Props = { photo: PhotoView; alt: string; draft: PhotoDraft; onPart: ((part: Rect) => void) | null };

/** Returns the style that fits the rotated picture into its frame. */
const pictureStyle = ({ edits }: PhotoView, draft: PhotoDraft, ratio: number, filter: string): CSSProperties => {
  const degrees = draft.straightenDeg - edits.straightenDeg;
  const lies = draft.turns % 2 === 1;
  return {
    width: lies ? percent(1 / ratio) : '100%',
    height: lies ? percent(ratio) : '100%',
    transform: `translate(-50%, -50%) rotate(${draft.turns * 90 + degrees}deg) scale(${filling(degrees, ratio)})`,
    filter,
  };
};

/** The photo, large, with a live preview of the draft. */
export const PhotoStage = ({ photo, alt, draft, onPart }: Props) => {
  const filterId = useId();
  const [size, setSize] = useState({ width: photo.width ?? 4, height: photo.height ?? 3 });
  const url = photo.fullUrl ?? photo.thumbUrl;
  if (!url) return <div className={styles.stage}>{t('parts.photos.making')}</div>;
  const upright = size.width / size.height;
  const ratio = draft.turns % 2 === 1 ? 1 / upright : upright;
  const exponent = gamma(photo.edits, draft);
  return (
    <div className={styles.stage}>
      <svg className={styles.unseen} aria-hidden>
        <filter id={filterId} colorInterpolationFilters="sRGB">
          <feComponentTransfer>
            <feFuncR type="gamma" exponent={exponent} />
            <feFuncG type="gamma" exponent={exponent} />
            <feFuncB type="gamma" exponent={exponent} />
          </feComponentTransfer>
        </filter>
      </svg>
      <div className={styles.frame} style={{ aspectRatio: ratio, width: `min(100%, 62vh * ${ratio})` }}>
        <Picture
          src={url}
          alt={alt}
          draggable={false}
          style={pictureStyle(photo, draft, ratio, exponent === 1 ? 'none' : `url(#${CSS.escape(filterId)})`)}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
        />
        {onPart && <CutFrame part={draft.part} onPart={onPart} />}
      </div>
    </div>
  );
};
