import { fold, tidy, tokensOf } from '../plainText.ts';
import { alsoCalled, colourNames, materialNames } from './vocabulary.ts';

/** Facts that are written the same way on boxes and in people's words. */
export type Details = Partial<
  Record<
    | 'model'
    | 'size'
    | 'storage'
    | 'volume'
    | 'pieces'
    | 'players'
    | 'age'
    | 'platform'
    | 'connectivity'
    | 'features'
    | 'format'
    | 'year',
    string
  >
> & { colours: string[]; materials: string[] };

const matched = (text: string, pattern: RegExp): string | undefined => {
  const found = pattern.exec(text);
  return found ? tidy(found[1] ?? found[0]) : undefined;
};

const sizeLabel =
  '(?:size|sized|größe|groesse|gr\\.|taille|pointure|taglia|misura|talla|maat|rozmiar|storlek|strl\\.?)';
const sizeValue =
  '((?:EU|UK|US|DE|IT|FR)?\\s?\\d{1,3}(?:[.,]5|½)?(?!\\s?(?:cm|mm|ml|in|GB))|XXS|XS|S|M|L|XL|XXL|XXXL|[2-5]XL|one size)';

const patterns = {
  size: new RegExp(`(?<![\\p{L}])${sizeLabel}\\s*[:=]?\\s*${sizeValue}(?![\\p{L}\\p{N}])`, 'iu'),
  countrySize: /(?<![\p{L}\p{N}])((?:EU|UK|US)\s?\d{1,2}(?:[.,]5)?)(?![\p{L}\p{N}])/u,
  storage: /(?<![\p{L}\p{N}])(\d{1,4}\s?[GT]B)(?![\p{L}\p{N}])/iu,
  volume: /(?<![\p{L}\p{N}.,])(\d{1,4}(?:[.,]\d{1,2})?\s?(?:ml|cl|l|fl\.? ?oz|oz))(?![\p{L}\p{N}])/iu,
  pieces:
    /(?<![\p{L}\p{N}])(\d{2,5})[\s-]?(?:pieces|piece|pcs|teile|teilig|pièces|pezzi|piezas|stukjes|elementów|bitar)(?![\p{L}])/iu,
  players:
    /(?<![\p{N}])(\d{1,2}\s?(?:[-–]|to|bis|à)\s?\d{1,2}|\d{1,2}\+?)\s*(?:players|spieler|joueurs|giocatori|jugadores|spelers|graczy|spelare)(?![\p{L}])/iu,
  age: /(?:(?:ages?|ab|dès|od|från|vanaf|età|edad)\s*)(\d{1,2})\s*(?:\+|years|jahren?|ans|anni|años|jaar|lat|år|and up|up)|(?<![\p{N}])(\d{1,2}\+)(?!\p{N})/iu,
  year: /(?:©|\(c\)|copyright|year|jahr|année|anno|año|rok)\s*[:]?\s*((?:18|19|20)\d{2})(?!\p{N})/iu,
} as const;

const labelledModel =
  /(?<![\p{L}])(?:model|modell|modèle|modello|modelo|model no\.?|m\/n|item no\.?|art\.?[- ]?nr\.?|ref\.?)\s*(?:no\.?|nr\.?|number|name)?\s*[:#.]?\s*([A-Z0-9][A-Z0-9./-]{1,18}[A-Z0-9])(?![\p{L}\p{N}])/iu;

// A token of letters and digits together: WH-1000XM4, NL-200, EOS-80D. Units and the like look the same.
const modelToken =
  /(?<![\p{L}\p{N}/-])(?=[A-Z0-9-]{1,20}(?![\p{L}\p{N}/-]))(?=[A-Z-]*\d)([A-Z][A-Z0-9-]{1,19})(?![\p{L}\p{N}/-])/gu;
const notModel =
  /^(?:\d+[A-Z]{1,2}|[A-Z]\d|(?:EU|UK|US|PS|MP|USB|IP|ISBN|EAN|UPC|RPM|DVD|CD|MP3|MP4|HD|UHD|IPX|V|BT|TYPE)-?\d.*)$/u;

const modelIn = (text: string): string | undefined => {
  const labelled = matched(text, labelledModel);
  if (labelled && /\d/.test(labelled)) return labelled;
  return [...text.matchAll(modelToken)]
    .map(([token]) => token)
    .find((token) => token.length >= 3 && !notModel.test(token));
};

const firstOf = (text: string, table: readonly (readonly [RegExp, string])[]): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1];

const allOf = (text: string, table: readonly (readonly [RegExp, string])[]): string | undefined =>
  table
    .filter(([pattern]) => pattern.test(text))
    .map(([, name]) => name)
    .join(', ') || undefined;

const platforms = [
  [/\bps5\b|playstation\s?5/i, 'Sony PlayStation 5'],
  [/\bps4\b|playstation\s?4/i, 'Sony PlayStation 4'],
  [/\bps3\b|playstation\s?3/i, 'Sony PlayStation 3'],
  [/xbox series/i, 'Microsoft Xbox Series X|S'],
  [/xbox one/i, 'Microsoft Xbox One'],
  [/xbox 360/i, 'Microsoft Xbox 360'],
  [/nintendo switch/i, 'Nintendo Switch'],
  [/nintendo 3ds/i, 'Nintendo 3DS'],
  [/\bwii\b/i, 'Nintendo Wii'],
  [/game\s?boy/i, 'Nintendo Game Boy'],
] as const;

const connections = [
  [/bluetooth/i, 'Bluetooth'],
  [
    /(?<!\p{L})(?:wireless|kabellos|sans fil|senza fili|inalámbric[oa]s?|draadloze?|bezprzewodow\p{L}+|trådlös\p{L}*)/iu,
    'Wireless',
  ],
  [/usb[- ]?c/i, 'USB-C'],
  [/wi-?fi/i, 'Wi-Fi'],
] as const;

const features = [
  [/noise[- ]?cancell?ing|\bANC\b|geräuschunterdrückung|réduction de bruit/i, 'Noise Cancelling'],
  [/water ?proof|wasserdicht|étanche|\bIPX?\d/i, 'Waterproof'],
  [/fold(?:able|ing)|faltbar|pliable/i, 'Foldable'],
  [/dishwasher[- ]safe|spülmaschinen/i, 'Dishwasher Safe'],
  [/microwave[- ]safe|mikrowellen/i, 'Microwave Safe'],
] as const;

const formats = [
  [/(?<!\p{L})(?:paperback|taschenbuch|livre de poche|tascabile|libro de bolsillo|pocket)(?!\p{L})/iu, 'Paperback'],
  [/(?<!\p{L})(?:hardcover|hardback|gebunden\p{L}*|relié|copertina rigida|tapa dura)(?!\p{L})/iu, 'Hardcover'],
  [/blu-?ray/i, 'Blu-ray'],
  [/\bdvd\b/i, 'DVD'],
] as const;

const byFoldedName = (table: Readonly<Record<string, Readonly<Record<string, string>>>>): Map<string, string> =>
  new Map(Object.entries(table).flatMap(([name, local]) => Object.values(local).map((word) => [fold(word), name])));

const colourOf = new Map([...byFoldedName(colourNames), ...Object.entries(alsoCalled)]);
const materialOf = new Map([...byFoldedName(materialNames), ...Object.entries(alsoCalled)]);

// Enough of the languages' endings to know "rosse", "blancas" and "schwarzen" as colours.
const forms = (word: string): string[] => [
  word,
  word.replace(/e$/, 'a'),
  word.replace(/i$/, 'o'),
  word.replace(/(?:s|n)$/, ''),
  word.replace(/es$/, ''),
];

const namesIn = (text: string, byWord: ReadonlyMap<string, string>, table: object): string[] => [
  ...new Set(
    tokensOf(text)
      .flatMap((token) => [token, ...token.split('-')])
      .flatMap(forms)
      .flatMap((token) => byWord.get(token) ?? [])
      .filter((name) => Object.hasOwn(table, name)),
  ),
];

/** Every such fact in a text. */
export const parseDetails = (text: string): Details => {
  const found = {
    model: modelIn(text),
    size: matched(text, patterns.size) ?? matched(text, patterns.countrySize),
    storage: matched(text, patterns.storage)?.toUpperCase(),
    volume: matched(text, patterns.volume),
    pieces: matched(text, patterns.pieces),
    players: matched(text, patterns.players),
    age: ageIn(text),
    platform: firstOf(text, platforms),
    connectivity: allOf(text, connections),
    features: allOf(text, features),
    format: firstOf(text, formats),
    year: matched(text, patterns.year),
  };
  return {
    ...Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)),
    colours: namesIn(text, colourOf, colourNames),
    materials: namesIn(text, materialOf, materialNames),
  };
};

const ageIn = (text: string): string | undefined => {
  const found = patterns.age.exec(text);
  const years = (found?.[1] ?? found?.[2])?.replace('+', '');
  return years ? `${years}+` : undefined;
};
