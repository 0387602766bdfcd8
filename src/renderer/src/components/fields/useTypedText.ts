import { startTransition, useOptimistic, type KeyboardEvent } from 'react';

/**
 * The text of a search field. The field shows each key at once; `onChange` runs in a transition, so that the rows that
 * are found render in parts and block no key.
 */
export const useTypedText = (
  value: string,
  onChange: (text: string) => void,
): readonly [text: string, setText: (text: string) => void] => {
  const [text, showText] = useOptimistic(value);
  const setText = (next: string): void =>
    startTransition(() => {
      showText(next);
      onChange(next);
    });
  return [text, setText];
};

/** Escape clears a search field, or leaves it if it is empty. */
export const clearOnEscape =
  (text: string, setText: (text: string) => void) =>
  ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void => {
    if (key !== 'Escape') return;
    if (text === '') currentTarget.blur();
    else setText('');
  };
