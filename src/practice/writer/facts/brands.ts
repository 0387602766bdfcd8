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
