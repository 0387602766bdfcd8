import type { ComponentProps } from 'react';
import { resolveCoreAddress } from '../api/call.ts';

/** The core sends the path of a picture without the window's base path, which the window needs to load the picture. */
export const CorePicture = ({ src, alt, ...rest }: ComponentProps<'img'> & { src: string; alt: string }) => (
  <img src={resolveCoreAddress(src)} alt={alt} {...rest} />
);
