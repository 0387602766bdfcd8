import { useEffect, useRef, type ComponentProps } from 'react';
import { resolveCoreAddress } from '../api/call.ts';
import { createPictureQueue } from './pictureQueue.ts';

type CorePictureProps = ComponentProps<'img'> & { src: string; alt: string };

/** The core sends the path of a picture without the window's base path, which the window needs to load the picture. */
export const CorePicture = ({ src, alt, ...rest }: CorePictureProps) => (
  <img src={resolveCoreAddress(src)} alt={alt} {...rest} />
);

/** A fast scroll through a list shows five pictures in a frame. */
const loadLater = createPictureQueue(6);

const loadPicture = (image: HTMLImageElement, src: string, end: () => void): (() => void) => {
  image.onload = image.onerror = end;
  image.src = resolveCoreAddress(src);
  return () => {
    image.onload = image.onerror = null;
  };
};

/** A picture among hundreds. Together, their requests would block the window for up to 45 ms, so each waits for its turn. */
export const QueuedPicture = ({ src, alt, ...rest }: CorePictureProps) => {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const element = image.current;
    return element === null ? undefined : loadLater((end) => loadPicture(element, src, end));
  }, [src]);
  return <img ref={image} alt={alt} {...rest} />;
};
