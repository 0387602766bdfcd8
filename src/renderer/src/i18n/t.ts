import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import screens from '../../../i18n/locales/en/screens.json' with { type: 'json' };
import type { ScreensPlaces } from '../../../i18n/screensPlaces.d.ts';

/** The English texts as types: what has places is told by them, so that `t` asks for their values. */
type WithPlaces<Texts, Path extends string = ''> = {
  [K in keyof Texts & string]: Texts[K] extends string
    ? `${Path}${K}` extends keyof ScreensPlaces
      ? ScreensPlaces[`${Path}${K}`]
      : string
    : WithPlaces<Texts[K], `${Path}${K}.`>;
};

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: WithPlaces<typeof screens> };
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
