import type { ComponentProps } from 'react';
import { resolveCoreAddress } from '../api/call.ts';

/** A picture that the core names by its path. Every image element of the screens uses this component. */
export const CorePicture = ({ src, alt, ...rest }: ComponentProps<'img'> & { src: string; alt: string }) => (
  <img src={resolveCoreAddress(src)} alt={alt} {...rest} />
);
