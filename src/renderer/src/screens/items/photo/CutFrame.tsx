import type { PointerEvent } from 'react';
import { cutAt, isWhole, moved, withCut, type Rect, type Side } from './rect.ts';
import styles from './photo.module.css';

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

/** A part of a length as CSS has it: 0.5 is "50%". */
export const percent = (part: number): string => `${part * 100}%`;

/** What a pull by a part of the frame's width and height does to a side. */
const pulled = (rect: Rect, side: Side, dx: number, dy: number): Rect => {
  const by = { left: dx, right: -dx, top: dy, bottom: -dy }[side];
  return withCut(rect, side, cutAt(rect, side) + by);
};

type Pull = (start: Rect, dx: number, dy: number) => Rect;

/** Follows the pointer from where it took hold until it lets go. */
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

/** The part to keep, with handles for the pointer; the number fields do the same for the keyboard. */
export const CutFrame = ({ part, onPart }: { part: Rect; onPart: (part: Rect) => void }) => (
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
