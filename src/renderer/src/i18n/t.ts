import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import screens from '../../../i18n/locales/en/screens.json' with { type: 'json' };
import type { Resources } from '../../../i18n/resources.d.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Resources['screens'] };
  }
}

/** The English texts of the screens. */
export { screens };

/** English is always there; another language comes when it is wanted (see `setLanguage`). */
export const i18n = createInstance({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: screens } },
  initAsync: false,
  // React escapes what it draws.
  interpolation: { escapeValue: false },
});
void i18n.use(initReactI18next).init();

/** The text of a key in the current language. The screens are drawn anew when the language changes. */
export const t = i18n.t;
