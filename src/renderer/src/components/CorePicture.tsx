import type { ComponentProps } from 'react';
import { resolveCoreAddress } from '../api/call.ts';

/** The core names a picture by a path, which the window can load only with its base path. */
export const CorePicture = ({ src, alt, ...rest }: ComponentProps<'img'> & { src: string; alt: string }) => (
  <img src={resolveCoreAddress(src)} alt={alt} {...rest} />
);
