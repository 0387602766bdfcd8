import type { Saying, Texts } from '../../../words/saying.ts';
import { speaker, type Speaker } from '../../../words/speaker.ts';
import { locale } from './locale.ts';

let speak: Speaker | null = null;

/** Turns what the core says to a language; null leaves it in English, as it comes. */
export const sayIn = (texts: Texts | null): void => {
  speak = texts && speaker(locale(), texts);
};

/**
 * A sentence of the core in the language of the screens: from what it is said from, where the language has it, else as it
 * came. Texts of the service have nothing to say them from, and stay as they are.
 */
export const told = (says: Saying | null | undefined, sentence: string): string =>
  (says ? speak?.(says) : null) ?? sentence;
