import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type PointerEvent } from 'react';

/** 1 shows the whole photo. */
const wholePhoto = 1;
const stepFactor = 1.25;
/** The wheel movement, in pixels, that enlarges the photo by the factor e. */
const wheelPixels = 400;

/**
 * A point of the photo, in fractions of its sides, and where the stage shows it, in pixels from its upper left corner.
 */
type FixedPoint = { x: number; y: number; atX: number; atY: number };

export type PhotoZoom = {
  /** Called with the element that shows the photo, which scrolls. */
  setStage: (stage: HTMLElement | null) => void;
  /** The size of the photo relative to the size at which the stage shows the whole photo. */
  scale: number;
  isWhole: boolean;
  isActualSize: boolean;
  showWhole: () => void;
  /** Shows one pixel of the photo as one pixel of the screen, or the whole photo again. */
  toggleActualSize: (at?: { clientX: number; clientY: number }) => void;
  zoomIn: () => void;
  zoomOut: () => void;
  drag: (event: PointerEvent<HTMLElement>) => void;
};

const findFrame = (stage: HTMLElement): HTMLElement | null => stage.querySelector('[data-photo-frame]');

/** Keeps the point of the photo at the pointer, or in the middle of the stage, where it is. */
const findFixedPoint = (stage: HTMLElement, at?: { clientX: number; clientY: number }): FixedPoint => {
  const box = stage.getBoundingClientRect();
  const frame = findFrame(stage)?.getBoundingClientRect() ?? box;
  const { clientX, clientY } = at ?? { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
  return {
    x: (clientX - frame.left) / frame.width,
    y: (clientY - frame.top) / frame.height,
    atX: clientX - box.left,
    atY: clientY - box.top,
  };
};

const scrollToFixedPoint = (stage: HTMLElement, { x, y, atX, atY }: FixedPoint): void => {
  const box = stage.getBoundingClientRect();
  const frame = findFrame(stage)?.getBoundingClientRect();
  if (frame)
    stage.scrollBy(frame.left + x * frame.width - box.left - atX, frame.top + y * frame.height - box.top - atY);
};

/** Calls `onMove` with each move of the pointer until it is released, also outside the element. */
export const followPointer = (
  element: HTMLElement,
  pointerId: number,
  onMove: (event: { clientX: number; clientY: number }) => void,
): void => {
  element.setPointerCapture(pointerId);
  const dragEnd = new AbortController();
  const { signal } = dragEnd;
  element.addEventListener('pointermove', onMove, { signal });
  for (const end of ['pointerup', 'pointercancel'] as const)
    element.addEventListener(end, () => dragEnd.abort(), { signal });
};

/** Scrolls the stage with the pointer, so that the photo follows it. */
const dragStage = (event: PointerEvent<HTMLElement>): void => {
  const stage: HTMLElement = event.currentTarget;
  if (event.button !== 0 || event.pointerType === 'touch') return;
  event.preventDefault();
  let { clientX, clientY } = event;
  followPointer(stage, event.pointerId, (now) => {
    stage.scrollBy(clientX - now.clientX, clientY - now.clientY);
    ({ clientX, clientY } = now);
  });
};

/** `shownWidth` is the width in pixels of the photo as it is turned now. The scale stays from photo to photo. */
export const usePhotoZoom = (shownWidth: number): PhotoZoom => {
  const [stage, setStage] = useState<HTMLElement | null>(null);
  const fixed = useRef<FixedPoint | null>(null);
  const [wanted, setWanted] = useState<number | 'actual'>(wholePhoto);
  /** The scale that shows one pixel of the photo as one pixel of the screen. */
  const [actual, setActual] = useState(wholePhoto);
  const scale = wanted === 'actual' ? actual : wanted;
  const max = Math.max(4, actual);
  useLayoutEffect(() => {
    if (stage === null) return undefined;
    const measure = (): void => {
      const frame = findFrame(stage);
      const whole = frame === null ? 0 : frame.offsetWidth / Number(frame.dataset['photoFrame']);
      if (whole > 0) setActual(Math.max(wholePhoto, shownWidth / devicePixelRatio / whole));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(stage);
    return () => observer.disconnect();
  }, [stage, shownWidth]);
  useLayoutEffect(() => {
    if (stage && fixed.current) scrollToFixedPoint(stage, fixed.current);
    fixed.current = null;
  }, [stage, scale]);
  const zoomTo = (next: number | 'actual', at?: { clientX: number; clientY: number }): void => {
    if (stage) fixed.current = findFixedPoint(stage, at);
    setWanted(next === 'actual' ? next : Math.min(max, Math.max(wholePhoto, next)));
  };
  const onWheel = useEffectEvent((event: WheelEvent): void => {
    event.preventDefault();
    zoomTo(scale * Math.exp(-event.deltaY / wheelPixels), event);
  });
  useEffect(() => {
    const listening = new AbortController();
    // React listens passively, so it could not prevent the scrolling.
    stage?.addEventListener('wheel', (event) => onWheel(event), { passive: false, signal: listening.signal });
    return () => listening.abort();
  }, [stage]);
  const isWhole = scale <= wholePhoto;
  return {
    ...{ setStage, scale, isWhole },
    isActualSize: wanted === 'actual',
    showWhole: () => zoomTo(wholePhoto),
    toggleActualSize: (at) => zoomTo(wanted === 'actual' ? wholePhoto : 'actual', at),
    zoomIn: () => zoomTo(scale * stepFactor),
    zoomOut: () => zoomTo(scale / stepFactor),
    drag: (event) => {
      if (!isWhole) dragStage(event);
    },
  };
};
