import { findKnownLanguage, applyLocalSpelling, parseTexts, type Localised } from '../../market/languages.ts';

/** Brand names that are worth recognising when they are read on an item or said about it. */
const names =
  'Adidas|AKG|Alessi|Apple|Arabia|Asics|Asus|Acer|Audio-Technica|Bang & Olufsen|Barbour|Bialetti|Birkenstock|Bodum|Bosch|Bose|Braun|Brio|Burberry|Canon|Carhartt|Carrera|Casio|Champion|Chicco|Citizen|Clarks|Columbia|Converse|Crocs|De’Longhi|Dell|Desigual|DeWalt|Diesel|Dremel|Dr. Martens|Dyson|Ecco|Epson|Esprit|Faber-Castell|Fender|Festool|Fila|Fischer-Price|Fisher-Price|Fitbit|Fjällräven|Fossil|Fujifilm|G-Star|Garmin|Gibson|GoPro|Google|Gucci|Haba|Harman Kardon|Hasbro|Hitachi|Honda|HP|Huawei|Hugo Boss|IKEA|Iittala|Jabra|Jack Wolfskin|JBL|Kenwood|KitchenAid|Kodak|Kosmos|Lamy|Le Creuset|Leatherman|Leica|LEGO|Lenovo|Levi’s|Levi Strauss|LG|Logitech|Longines|Lumix|Makita|Mammut|Marshall|Mattel|Meissen|Melitta|Metabo|Michael Kors|Microsoft|Miele|Milwaukee|Montblanc|Motorola|Moulinex|Nespresso|New Balance|Nike|Nikon|Nintendo|Nokia|Olympus|Omega|OnePlus|Osprey|Panasonic|Parker|Patagonia|Pelikan|Pentax|Philips|Pioneer|Piaggio|Playmobil|Polaroid|Puma|Ravensburger|Ray-Ban|Razer|Reebok|Ricoh|Rolex|Rosenthal|Rowenta|Royal Copenhagen|Russell Hobbs|Salomon|Samsung|Samsonite|Schleich|Seiko|Sennheiser|Shimano|Shure|Siemens|Sigma|Singer|Skagen|Skechers|Skullcandy|Sonos|Sony|Stanley|Stabilo|Staedtler|Steiff|SteelSeries|Superdry|Swarovski|Swatch|Tag Heuer|Tamron|Tefal|The North Face|Timberland|Timex|Tissot|Tommy Hilfiger|Toshiba|Trek|Tupperware|Under Armour|Vans|Vespa|Victorinox|Villeroy & Boch|Wedgwood|Wilson|WMF|Xiaomi|Yamaha|Zara|Zeiss|Zwilling|3M';

/** Brands whose name is also a common word or a name: they count only when the writing itself is that of a brand. */
const ordinary = new Set([
  'apple',
  'champion',
  'columbia',
  'converse',
  'diesel',
  'fossil',
  'google',
  'marshall',
  'omega',
  'parker',
  'pioneer',
  'puma',
  'sigma',
  'singer',
  'stanley',
  'trek',
  'vans',
  'wilson',
  'carrera',
  'citizen',
  'fender',
  'kosmos',
  'shure',
  'timex',
  'hp',
  'lg',
  '3m',
]);

const pattern = (name: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/’/g, "['’]?")}(?![\\p{L}\\p{N}])`,
    ordinary.has(name.toLowerCase()) ? 'u' : 'iu',
  );

type Brand = { name: string; pattern: RegExp; upper: RegExp };
let made: Brand[] | undefined;

/** Made when a text is first read: hundreds of patterns would be a good part of what a start takes. */
const brands = (): Brand[] =>
  (made ??= names.split('|').map((name) => ({ name, pattern: pattern(name), upper: pattern(name.toUpperCase()) })));

// Product names that only one maker uses.
const makers: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iphone|ipad|ipod|macbook|airpods|imac)\b/i, 'Apple'],
  [/\bplaystation\b/i, 'Sony'],
  [/\bxbox\b/i, 'Microsoft'],
  [/\bgame ?boy\b/i, 'Nintendo'],
  [/\bthinkpad\b/i, 'Lenovo'],
  [/\bkindle\b/i, 'Amazon'],
  [/\bgalaxy (?:s|a|note|tab)\s?\d/i, 'Samsung'],
];

/** The first known brand that a text names, as the brand writes itself. */
export const knownBrandIn = (text: string): string | undefined => {
  const found = brands()
    .map(({ name, pattern, upper }) => ({ name, at: Math.max(text.search(pattern), text.search(upper)) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at || other.name.length - one.name.length);
  return found[0]?.name ?? makers.find(([product]) => product.test(text))?.[1];
};

/** Colours that photos and words are described in. */
export const colourNames: Readonly<Record<string, Localised>> = {
  Black: parseTexts('Black|Schwarz|Noir|Nero|Negro|Zwart|Czarny|Svart'),
  White: parseTexts('White|Weiß|Blanc|Bianco|Blanco|Wit|Biały|Vit'),
  Grey: parseTexts('Grey|Grau|Gris|Grigio|Gris|Grijs|Szary|Grå'),
  Red: parseTexts('Red|Rot|Rouge|Rosso|Rojo|Rood|Czerwony|Röd'),
  Orange: parseTexts('Orange|Orange|Orange|Arancione|Naranja|Oranje|Pomarańczowy|Orange'),
  Yellow: parseTexts('Yellow|Gelb|Jaune|Giallo|Amarillo|Geel|Żółty|Gul'),
  Green: parseTexts('Green|Grün|Vert|Verde|Verde|Groen|Zielony|Grön'),
  Turquoise: parseTexts('Turquoise|Türkis|Turquoise|Turchese|Turquesa|Turquoise|Turkusowy|Turkos'),
  Blue: parseTexts('Blue|Blau|Bleu|Blu|Azul|Blauw|Niebieski|Blå'),
  Purple: parseTexts('Purple|Lila|Violet|Viola|Morado|Paars|Fioletowy|Lila'),
  Pink: parseTexts('Pink|Rosa|Rose|Rosa|Rosa|Roze|Różowy|Rosa'),
  Brown: parseTexts('Brown|Braun|Marron|Marrone|Marrón|Bruin|Brązowy|Brun'),
  Beige: parseTexts('Beige|Beige|Beige|Beige|Beige|Beige|Beżowy|Beige'),
  Silver: parseTexts('Silver|Silber|Argenté|Argento|Plateado|Zilver|Srebrny|Silver'),
  Gold: parseTexts('Gold|Gold|Doré|Oro|Dorado|Goud|Złoty|Guld'),
};

/** Materials that are recognised in texts. */
export const materialNames: Readonly<Record<string, Localised>> = {
  Ceramic: parseTexts('Ceramic|Keramik|Céramique|Ceramica|Cerámica|Keramiek|Ceramika|Keramik'),
  Porcelain: parseTexts('Porcelain|Porzellan|Porcelaine|Porcellana|Porcelana|Porselein|Porcelana|Porslin'),
  Stoneware: parseTexts('Stoneware|Steingut|Grès|Gres|Gres|Aardewerk|Kamionka|Stengods'),
  Glass: parseTexts('Glass|Glas|Verre|Vetro|Vidrio|Glas|Szkło|Glas'),
  Wood: parseTexts('Wood|Holz|Bois|Legno|Madera|Hout|Drewno|Trä'),
  Metal: parseTexts('Metal|Metall|Métal|Metallo|Metal|Metaal|Metal|Metall'),
  Brass: parseTexts('Brass|Messing|Laiton|Ottone|Latón|Messing|Mosiądz|Mässing'),
  Steel: parseTexts('Steel|Stahl|Acier|Acciaio|Acero|Staal|Stal|Stål'),
  Leather: parseTexts('Leather|Leder|Cuir|Pelle|Cuero|Leer|Skóra|Läder'),
  Cotton: parseTexts('Cotton|Baumwolle|Coton|Cotone|Algodón|Katoen|Bawełna|Bomull'),
  Wool: parseTexts('Wool|Wolle|Laine|Lana|Lana|Wol|Wełna|Ull'),
  Silk: parseTexts('Silk|Seide|Soie|Seta|Seda|Zijde|Jedwab|Siden'),
  Linen: parseTexts('Linen|Leinen|Lin|Lino|Lino|Linnen|Len|Linne'),
  Plastic: parseTexts('Plastic|Kunststoff|Plastique|Plastica|Plástico|Kunststof|Plastik|Plast'),
  Stone: parseTexts('Stone|Stein|Pierre|Pietra|Piedra|Steen|Kamień|Sten'),
};

/** Spoken forms of the above that are no entry of their own. */
export const alsoCalled: Readonly<Record<string, string>> = {
  gray: 'Grey',
  navy: 'Blue',
  violet: 'Purple',
  lilac: 'Purple',
  teal: 'Turquoise',
  cream: 'Beige',
  tan: 'Beige',
  golden: 'Gold',
  wooden: 'Wood',
  woollen: 'Wool',
  holzern: 'Wood',
  schwarze: 'Black',
  schwarzer: 'Black',
  schwarzes: 'Black',
  weisse: 'White',
  weisser: 'White',
  weisses: 'White',
  rote: 'Red',
  roter: 'Red',
  rotes: 'Red',
  blaue: 'Blue',
  blauer: 'Blue',
  blaues: 'Blue',
  grune: 'Green',
  gruner: 'Green',
  grunes: 'Green',
  braune: 'Brown',
  brauner: 'Brown',
  braunes: 'Brown',
  graue: 'Grey',
  grauer: 'Grey',
  graues: 'Grey',
  gelbe: 'Yellow',
  gelber: 'Yellow',
  gelbes: 'Yellow',
  noire: 'Black',
  blanche: 'White',
  verte: 'Green',
  bleue: 'Blue',
  nera: 'Black',
  bianca: 'White',
  rossa: 'Red',
  gialla: 'Yellow',
  negra: 'Black',
  blanca: 'White',
  roja: 'Red',
  amarilla: 'Yellow',
  zwarte: 'Black',
  witte: 'White',
  rode: 'Red',
  blauwe: 'Blue',
  groene: 'Green',
  czarna: 'Black',
  biala: 'White',
  czerwona: 'Red',
  niebieska: 'Blue',
  zielona: 'Green',
  bla: 'Blue',
  rod: 'Red',
  roda: 'Red',
  svarta: 'Black',
  vita: 'White',
  grona: 'Green',
};

const named = (table: Readonly<Record<string, Localised>>, name: string, language: string): string =>
  applyLocalSpelling(table[name]?.[findKnownLanguage(language)] ?? name, language);

/** A colour's name in a language. */
export const colourIn = (name: string, language: string): string => named(colourNames, name, language);

/** A material's name in a language. */
export const materialIn = (name: string, language: string): string => named(materialNames, name, language);

const termNames: Readonly<Record<string, Localised>> = {
  Wireless: parseTexts('Wireless|Kabellos|Sans fil|Senza fili|Inalámbrico|Draadloos|Bezprzewodowe|Trådlös'),
  'Noise Cancelling': parseTexts(
    'Noise Cancelling|Geräuschunterdrückung|Réduction de bruit|Cancellazione del rumore|Cancelación de ruido|Ruisonderdrukking|Redukcja szumów|Brusreducering',
  ),
  Waterproof: parseTexts('Waterproof|Wasserdicht|Étanche|Impermeabile|Impermeable|Waterdicht|Wodoodporne|Vattentät'),
  Foldable: parseTexts('Foldable|Faltbar|Pliable|Pieghevole|Plegable|Opvouwbaar|Składane|Hopfällbar'),
  'Dishwasher Safe': parseTexts(
    'Dishwasher Safe|Spülmaschinenfest|Lavable au lave-vaisselle|Lavabile in lavastoviglie|Apto para lavavajillas|Vaatwasserbestendig|Do zmywarki|Tål diskmaskin',
  ),
  'Microwave Safe': parseTexts(
    'Microwave Safe|Mikrowellengeeignet|Compatible micro-ondes|Adatto al microonde|Apto para microondas|Magnetronbestendig|Do mikrofalówki|Tål mikrovågsugn',
  ),
  Paperback: parseTexts('Paperback|Taschenbuch|Broché|Brossura|Tapa blanda|Paperback|Oprawa miękka|Pocket'),
  Hardcover: parseTexts(
    'Hardcover|Gebundene Ausgabe|Relié|Copertina rigida|Tapa dura|Hardcover|Oprawa twarda|Inbunden',
  ),
};

/** A feature, connection or format in a language; names such as Bluetooth are the same everywhere. */
export const termsIn = (terms: string, language: string): string =>
  terms
    .split(', ')
    .map((term) => named(termNames, term, language))
    .join(', ');
