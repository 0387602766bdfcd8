import type { ComponentProps } from 'react';

type Props = Omit<ComponentProps<'a'>, 'href'> & { to: string };

/** A link in a row of a long list. `Link` listens for the address of the window, which takes time in each row. */
export const RowLink = ({ to, ...rest }: Props) => <a href={`#${to}`} {...rest} />;
