import { useEffect, useState } from 'react';
import { languageOf, speak, type Language } from './speak.ts';

/** The language that the screens are in; null until the first is loaded. */
export const useLanguage = (wanted: string | undefined): Language | null => {
  const [spoken, setSpoken] = useState<Language | null>(null);
  const language = languageOf(wanted);
  useEffect(() => {
    let current = true;
    void speak(language).then(() => current && setSpoken(language));
    return () => {
      current = false;
    };
  }, [language]);
  return spoken;
};
