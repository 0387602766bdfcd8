import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './en/index.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

/** English is always there; what speaks another language comes when it is wanted (see `speak`). */
export const i18n = createInstance({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: en } },
  initAsync: false,
  // React escapes what it draws.
  interpolation: { escapeValue: false },
});
void i18n.use(initReactI18next).init();

/** The text of a key in the language that is spoken. The screens are drawn anew when the language changes. */
export const t = i18n.t;
