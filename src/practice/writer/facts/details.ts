import { normaliseSpaces } from '../plainText.ts';
import { colourNames, listEnglishNames, materialNames } from './vocabulary.ts';

/** The value of a detail is `name`, or the matched text if there is no `name`. */
type DetailRule = readonly [pattern: RegExp, name?: string];

const sizeLabel =
  '(?:size|sized|größe|groesse|gr\\.|taille|pointure|taglia|misura|talla|maat|rozmiar|storlek|strl\\.?)';
const sizeValue =
  '((?:EU|UK|US|DE|IT|FR)?\\s?\\d{1,3}(?:[.,]5|½)?(?!\\s?(?:cm|mm|ml|in|GB))|XXS|XS|S|M|L|XL|XXL|XXXL|[2-5]XL|one size)';

const firstRules = {
  size: [
    [new RegExp(`(?<![\\p{L}])${sizeLabel}\\s*[:=]?\\s*${sizeValue}(?![\\p{L}\\p{N}])`, 'iu')],
    [/(?<![\p{L}\p{N}])((?:EU|UK|US)\s?\d{1,2}(?:[.,]5)?)(?![\p{L}\p{N}])/u],
  ],
  storage: [[/(?<![\p{L}\p{N}])(\d{1,4}\s?[GT]B)(?![\p{L}\p{N}])/iu]],
  volume: [[/(?<![\p{L}\p{N}.,])(\d{1,4}(?:[.,]\d{1,2})?\s?(?:ml|cl|l|fl\.? ?oz|oz))(?![\p{L}\p{N}])/iu]],
  pieces: [
    [
      /(?<![\p{L}\p{N}])(\d{2,5})[\s-]?(?:pieces|piece|pcs|teile|teilig|pièces|pezzi|piezas|stukjes|elementów|bitar)(?![\p{L}])/iu,
    ],
  ],
  players: [
    [
      /(?<![\p{N}])(\d{1,2}\s?(?:[-–]|to|bis|à)\s?\d{1,2}|\d{1,2}\+?)\s*(?:players|spieler|joueurs|giocatori|jugadores|spelers|graczy|spelare)(?![\p{L}])/iu,
    ],
  ],
  age: [
    [
      /(?:(?:ages?|ab|dès|od|från|vanaf|età|edad)\s*)(\d{1,2})\s*(?:\+|years|jahren?|ans|anni|años|jaar|lat|år|and up|up)/iu,
    ],
    [/(?<![\p{N}])(\d{1,2})\+(?!\p{N})/iu],
  ],
  year: [[/(?:©|\(c\)|copyright|year|jahr|année|anno|año|rok)\s*[:]?\s*((?:18|19|20)\d{2})(?!\p{N})/iu]],
  platform: [
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
  ],
  format: [
    [/(?<!\p{L})(?:paperback|taschenbuch|livre de poche|tascabile|libro de bolsillo|pocket)(?!\p{L})/iu, 'Paperback'],
    [/(?<!\p{L})(?:hardcover|hardback|gebunden\p{L}*|relié|copertina rigida|tapa dura)(?!\p{L})/iu, 'Hardcover'],
    [/blu-?ray/i, 'Blu-ray'],
    [/\bdvd\b/i, 'DVD'],
  ],
} satisfies Record<string, readonly DetailRule[]>;

const listRules = {
  connectivity: [
    [/bluetooth/i, 'Bluetooth'],
    [
      /(?<!\p{L})(?:wireless|kabellos|sans fil|senza fili|inalámbric[oa]s?|draadloze?|bezprzewodow\p{L}+|trådlös\p{L}*)/iu,
      'Wireless',
    ],
    [/usb[- ]?c/i, 'USB-C'],
    [/wi-?fi/i, 'Wi-Fi'],
  ],
  features: [
    [/noise[- ]?cancell?ing|\bANC\b|geräuschunterdrückung|réduction de bruit/i, 'Noise Cancelling'],
    [/water ?proof|wasserdicht|étanche|\bIPX?\d/i, 'Waterproof'],
    [/fold(?:able|ing)|faltbar|pliable/i, 'Foldable'],
    [/dishwasher[- ]safe|spülmaschinen/i, 'Dishwasher Safe'],
    [/microwave[- ]safe|mikrowellen/i, 'Microwave Safe'],
  ],
} satisfies Record<string, readonly DetailRule[]>;

export type Details = Partial<Record<'model' | keyof typeof firstRules | keyof typeof listRules, string>> & {
  colours: string[];
  materials: string[];
};

const listRuleMatches = (text: string, [pattern, name]: DetailRule): string[] => {
  const found = pattern.exec(text);
  return found ? [name ?? normaliseSpaces(found[1] ?? found[0])] : [];
};

const listMatchesByDetail = (
  text: string,
  rules: Readonly<Record<string, readonly DetailRule[]>>,
): [string, string[]][] =>
  Object.entries(rules).map(([detail, each]) => [detail, each.flatMap((rule) => listRuleMatches(text, rule))]);

const labelledModel =
  /(?<![\p{L}])(?:model|modell|modèle|modello|modelo|model no\.?|m\/n|item no\.?|art\.?[- ]?nr\.?|ref\.?)\s*(?:no\.?|nr\.?|number|name)?\s*[:#.]?\s*([A-Z0-9][A-Z0-9./-]{1,18}[A-Z0-9])(?![\p{L}\p{N}])/iu;
/** A word of letters and digits, such as WH-1000XM4, NL-200 or EOS-80D. `notModel` excludes units. */
const modelWord =
  /(?<![\p{L}\p{N}/-])(?=[A-Z0-9-]{1,20}(?![\p{L}\p{N}/-]))(?=[A-Z-]*\d)([A-Z][A-Z0-9-]{1,19})(?![\p{L}\p{N}/-])/gu;
const notModel =
  /^(?:\d+[A-Z]{1,2}|[A-Z]\d|(?:EU|UK|US|PS|MP|USB|IP|ISBN|EAN|UPC|RPM|DVD|CD|MP3|MP4|HD|UHD|IPX|V|BT|TYPE)-?\d.*)$/u;

const findModel = (text: string): string | undefined => {
  const [labelled = ''] = listRuleMatches(text, [labelledModel]);
  if (/\d/.test(labelled)) return labelled;
  return text.match(modelWord)?.find((word) => word.length >= 3 && !notModel.test(word));
};

/** Returns the details that a text contains. */
export const parseDetails = (text: string): Details => {
  const model = findModel(text);
  const first = listMatchesByDetail(text, firstRules).flatMap(([detail, [value]]) => (value ? [[detail, value]] : []));
  const lists = listMatchesByDetail(text, listRules).flatMap(([detail, all]) =>
    all.length > 0 ? [[detail, all.join(', ')]] : [],
  );
  const found = Object.fromEntries([...first, ...lists]) as Details;
  return {
    ...found,
    ...(model && { model }),
    ...(found.storage && { storage: found.storage.toUpperCase() }),
    ...(found.age && { age: `${found.age}+` }),
    colours: listEnglishNames(text, colourNames),
    materials: listEnglishNames(text, materialNames),
  };
};
