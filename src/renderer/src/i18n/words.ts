import type { en } from './en/index.ts';

/**
 * The texts of another language, with the keys of the English ones: a missing key, or one too many, does not compile.
 * `Forms` names the plural forms of the language; English has `one` and `other`.
 */
export type WordsOf<T, Forms extends string> = {
  [
    K in keyof T as K extends `${infer Stem}_other` ? `${Stem}_${Forms}` : K extends `${string}_one` ? never : K
  ]: T[K] extends string ? string : WordsOf<T[K], Forms>;
};

export type Words<Forms extends string = 'one' | 'other'> = WordsOf<typeof en, Forms>;
