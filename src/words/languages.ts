import type { Texts, Words } from './saying.ts';

/**
 * The languages that are complete, each by its own name; what speaks one is loaded when it is wanted. English is written
 * by the core itself.
 */
export const languages = {
  en: { name: 'English', texts: async (): Promise<Texts> => (await import('./en/index.ts')).en },
  de: { name: 'Deutsch', texts: async (): Promise<Words> => (await import('./de/index.ts')).de },
  fr: { name: 'Français', texts: async (): Promise<Words> => (await import('./fr/index.ts')).fr },
  it: { name: 'Italiano', texts: async (): Promise<Words> => (await import('./it/index.ts')).it },
  es: { name: 'Español', texts: async (): Promise<Words> => (await import('./es/index.ts')).es },
  nl: { name: 'Nederlands', texts: async (): Promise<Words> => (await import('./nl/index.ts')).nl },
  pl: { name: 'Polski', texts: async (): Promise<Words> => (await import('./pl/index.ts')).pl },
} as const;
export type Language = keyof typeof languages;

const isLanguage = (code: string): code is Language => Object.hasOwn(languages, code);

/** The language to speak: the one that was set, else the first of the system's that is spoken here, else English. */
export const languageOf = (wanted: string | undefined, system: readonly string[]): Language => {
  const codes = wanted === undefined || wanted === 'system' ? system : [wanted];
  return codes.map((code) => code.split(/[-_.]/)[0] ?? '').find(isLanguage) ?? 'en';
};
