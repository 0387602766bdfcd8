import type { ComponentProps } from 'react';
import { addressOf } from '../api/call.ts';

/** A picture that the core names by its path. Every image element of the screens uses this component. */
export const Picture = ({ src, alt, ...rest }: ComponentProps<'img'> & { src: string; alt: string }) => (
  <img src={addressOf(src)} alt={alt} {...rest} />
);
