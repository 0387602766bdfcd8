import { useEffect, useRef } from 'react';
import { addressOf } from '../api/call.ts';

/** Draws a picture onto a canvas, its middle cut to the shape of that. Rejects when it is not there, or no picture. */
const drawMiddle = async (canvas: HTMLCanvasElement, src: string, signal: AbortSignal): Promise<void> => {
  const answer = await fetch(addressOf(src), { signal });
  const picture = await createImageBitmap(await answer.blob());
  const side = Math.min(picture.width, picture.height);
  const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2];
  const context = canvas.getContext('2d');
  if (context !== null && !signal.aborted) {
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height);
  }
  picture.close();
};

type SmallPictureProps = {
  /** The path by which the core names it. */
  src: string;
  /** Its width and height as the row's style has it. */
  px: number;
};

/**
 * A square picture beside the words of a row, which say the same. Of an image element the browser keeps all that was decoded,
 * for every row that was ever in sight: three hundred kilobytes of a thumbnail, where this keeps nine.
 */
export const SmallPicture = ({ src, px }: SmallPictureProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawnPx = Math.round(px * window.devicePixelRatio);
  // A canvas of another size is an empty one: it is drawn again.
  useEffect(() => {
    const gone = new AbortController();
    // What cannot be drawn leaves the empty place that it had.
    if (canvas.current) void drawMiddle(canvas.current, src, gone.signal).catch(() => undefined);
    return () => gone.abort();
  }, [src, drawnPx]);
  return <canvas ref={canvas} width={drawnPx} height={drawnPx} aria-hidden />;
};
