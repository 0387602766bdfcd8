import { languages, type Language } from '../market/languages.ts';
import { categories } from '../market/taxonomy.ts';
import { fold, tokensOf } from './plainText.ts';
import { colourNames, materialNames } from './vocabulary.ts';

const stopwords: Readonly<Record<Language, string>> = {
  en: 'the a an and with of in is it has for from not very only one two my was used condition size new',
  de: 'der die das ein eine nie noch wie und mit von im ist hat für aus nicht sehr nur ohne mein war größe zustand neu sehr',
  fr: 'le la les un une et avec de du des est pour pas très sans mon ma taille état neuf neuve bon',
  it: 'il lo la gli un una e con di del della è per non molto senza mio mia taglia stato nuovo nuova',
  es: 'el la los las un una y con de del es para no muy sin mi talla estado nuevo nueva',
  nl: 'de het een en met van in is heeft voor uit niet zeer zonder mijn maat staat nieuw erg',
  pl: 'i z w na jest nie bardzo bez mój moja rozmiar stan nowy nowa używany dla od',
  sv: 'en ett och med av i är har för från inte mycket utan min mitt storlek skick ny nytt',
};

const vocabulary = new Map<Language, Set<string>>(
  languages.map((language) => [
    language,
    new Set(
      [
        ...stopwords[language].split(' '),
        ...[
          ...categories.map(({ nouns }) => nouns),
          ...Object.values(colourNames),
          ...Object.values(materialNames),
        ].flatMap((local) => local[language].split(/\s+/)),
      ].map(fold),
    ),
  ]),
);

/** The languages that a text may be in, judged by its words; none when no word is known. */
export const languagesOf = (text: string): Language[] => {
  const tokens = tokensOf(text);
  const scores = languages.map((language) => ({
    language,
    score: tokens.filter((token) => vocabulary.get(language)?.has(token)).length,
  }));
  const best = Math.max(...scores.map(({ score }) => score));
  return best === 0 ? [] : scores.filter(({ score }) => score === best).map(({ language }) => language);
};
