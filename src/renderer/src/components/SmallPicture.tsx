import { useEffect, useRef } from 'react';
import { resolveCoreAddress } from '../api/call.ts';
import { createPictureQueue } from './pictureQueue.ts';

const drawCentredSquare = async (canvas: HTMLCanvasElement, src: string, signal: AbortSignal): Promise<void> => {
  const answer = await fetch(resolveCoreAddress(src), { signal });
  const picture = await createImageBitmap(await answer.blob());
  const side = Math.min(picture.width, picture.height);
  const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2];
  // With this option, the canvas is in main memory. Otherwise a new picture waits for the GPU process, for up to 80 ms.
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context !== null && !signal.aborted) {
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height);
  }
  picture.close();
};

const loadPicture = (canvas: HTMLCanvasElement, src: string, end: () => void): (() => void) => {
  const cancelled = new AbortController();
  drawCentredSquare(canvas, src, cancelled.signal)
    .catch(() => undefined)
    .finally(end);
  return () => cancelled.abort();
};

/** The requests of a screenful of new rows would block the window for up to 25 ms. */
const loadLater = createPictureQueue(3);

type SmallPictureProps = {
  src: string;
  px: number;
};

/** A canvas needs 9 KB per row. An image element would make the browser keep a decoded thumbnail of 300 KB per row. */
export const SmallPicture = ({ src, px }: SmallPictureProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawnPx = Math.round(px * window.devicePixelRatio);
  // Resizing a canvas clears it, so the picture is drawn again.
  useEffect(() => {
    const element = canvas.current;
    return element === null ? undefined : loadLater((end) => loadPicture(element, src, end));
  }, [src, drawnPx]);
  return <canvas ref={canvas} width={drawnPx} height={drawnPx} aria-hidden />;
};
