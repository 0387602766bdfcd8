import type { Condition } from '../../market/category.ts';
import { clausesOf, fold } from '../plainText.ts';

// Tried in this order; written without accents, as the words are folded before.
const conditionPatterns: readonly (readonly [Condition, RegExp])[] = [
  [
    'FOR_PARTS',
    /\b(broken|for parts|not working|(does not|doesn't|don't) work|faulty|defekt|kaputt|ersatzteil\w*|pour pieces|ne fonctionne pas|en panne|per ricambi|non funziona|guasto|para piezas|no funciona|averiad[oa]|voor onderdelen|werkt niet|uszkodzon\w+|na czesci|nie dziala|trasig|fungerar inte|for delar)\b/,
  ],
  [
    'LIKE_NEW',
    /\b(like new|as new|as good as new|nearly new|almost new|wie neu|neuwertig|fast neu|comme neuf|comme neuve|come nuov[oa]|como nuev[oa]|zo goed als nieuw|als nieuw|jak now\w+|som ny|nyskick)\b/,
  ],
  [
    'NEW_OTHER',
    /\b(open box|opened box|box (is )?(damaged|opened)|never (used|worn|played|opened and used)|unused|unworn|new without (tags|box)|nie (?:benutzt|getragen|gebraucht)|ungebraucht|unbenutzt|ungetragen|jamais (utilise|porte)e?|mai usat[oa]|sin (usar|estrenar)|ongebruikt|ongedragen|nieuzywan\w+|oanvand)\b/,
  ],
  [
    'NEW',
    /\b(brand new|new in box|new with tags|nwt|bnib|factory sealed|sealed|unopened|still in (its |the )?(box|wrapping|plastic)|shrink ?wrapped|originalverpackt|ovp|nagelneu|fabrikneu|ungeoffnet|neu|neues|neuer|neue|neuf|neuve|sous blister|nuov[oa]|sigillat[oa]|nuev[oa]|precintad[oa]|nieuwe?|verzegeld|nowy|nowa|nowe|fabrycznie zapakowan\w+|ny|nytt|nya|oppnad ej|new)\b/,
  ],
  [
    'USED_ACCEPTABLE',
    /\b(acceptable|heavily used|well used|well worn|worn out|very worn|poor condition|fair condition|scratched|chipped|cracked|torn|stained|akzeptabel|stark gebraucht|gebrauchsspuren|zerkratzt|beschadigt|etat (moyen|correct|acceptable)|raye|abime|ebreche|usurat[oa]|graffiat[oa]|scheggiat[oa]|desgastad[oa]|aranad[oa]|gebruikssporen|beschadigd|zuzyt\w+|porysowan\w+|slit[et]n?|repig)\b/,
  ],
  [
    'USED_EXCELLENT',
    /\b(excellent|mint|very good|great condition|perfect condition|immaculate|top ?zustand|sehr gut\w*|einwandfrei|hervorragend\w*|tres bon|excellente?|parfait etat|ottim[oe]|perfette condizioni|excelente|muy buen\w*|perfecto estado|uitstekend\w*|zeer goed\w*|idealn\w+|bardzo dobr\w+|utmarkt|mycket bra|mycket gott)\b/,
  ],
  [
    'USED_GOOD',
    /\b(used|second ?hand|pre-?owned|good condition|worn|played|read once|gebraucht\w*|guter zustand|occasion|bon etat|usat[oa]|buon\w* (stato|condizion\w+)|usad[oa]|buen estado|gebruikt|goede staat|tweedehands|uzywan\w+|dobry stan|stan dobry|begagnad|gott skick|bra skick)\b/,
  ],
];

// "No scratches" is not scratched, "New York" is not new, and what is wanted new is not what is sold.
const misleading =
  /\b(no|not|without|never|keine?n?|ohne|nicht|sans|aucune?|pas|senza|non|nessun\w*|sin|ningun\w*|geen|zonder|niet|bez|nie|inga|ingen|utan|inte)\s+(any\s+)?(scratch\w*|scratched|broken|chip\w*|crack\w*|stain\w*|torn|tear\w*|worn|new|neu\w*|neuf|nuov\w+|nuev\w+|nieuw|kratzer|risse|defekt\w*|beschadigt|kaputt|uszkodz\w+|repor|krassen|graffi|rayures?|aranazos)\b|\bnew (york|zealand|balance|orleans|jersey|age|wave|testament)\b|\bbrand\s*[:=]/g;

const conditionWords =
  /\b(condition|zustand|etat|condizion\w+|estado|staat|stan|skick|scratch\w*|chip\w*|crack\w*|stain\w*|tear|torn|missing|dent\w*|mark|marks|faded|yellowed|worn|wear|works?|working|tested|smoke[- ]?free|kratzer|risse?|fleck\w*|fehlt|fehlen|getestet|funktioniert|gebrauchsspuren|rayures?|eclat|taches?|manque|fonctionne|graffi\w*|macchi\w+|manca|funziona|aranazos?|manchas?|falta|funciona|krassen?|vlek\w*|ontbreekt|werkt|rysy|plam\w+|brak\w*|dziala|repor|flack\w*|saknas|fungerar)\b/;

/** The condition that the person's words tell, if they tell one. */
export const conditionIn = (words: string): Condition | undefined => {
  const text = fold(words).replace(misleading, ' ');
  return conditionPatterns.find(([, sign]) => sign.test(text))?.[0];
};

/** What the person said about marks, faults and working order, in their own words. */
export const conditionClausesIn = (words: string): string[] =>
  clausesOf(words).filter((clause) => {
    const text = fold(clause);
    return conditionWords.test(text) || conditionPatterns.some(([, sign]) => sign.test(text.replace(misleading, ' ')));
  });
