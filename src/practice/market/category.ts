import { parseLocalisedRows, parseLocalisedTexts, type Localised } from './languages.ts';

export const conditions = [
  'NEW',
  'NEW_OTHER',
  'LIKE_NEW',
  'USED_EXCELLENT',
  'USED_GOOD',
  'USED_ACCEPTABLE',
  'FOR_PARTS',
] as const;
export type Condition = (typeof conditions)[number];

export const conditionNames: Readonly<Record<Condition, Localised>> = parseLocalisedRows({
  NEW: 'New|Neu|Neuf|Nuovo|Nuevo|Nieuw|Nowy|Ny',
  NEW_OTHER:
    'New (other)|Neu (sonstige)|Neuf (autre)|Nuovo (altro)|Nuevo (otro)|Nieuw (overig)|Nowy (inny)|Ny (övrigt)',
  LIKE_NEW: 'Like new|Wie neu|Comme neuf|Come nuovo|Como nuevo|Zo goed als nieuw|Jak nowy|Som ny',
  USED_EXCELLENT:
    'Used – excellent|Gebraucht – hervorragend|Occasion – excellent état|Usato – ottimo|Usado – excelente|Gebruikt – uitstekend|Używany – idealny|Begagnad – utmärkt skick',
  USED_GOOD:
    'Used – good|Gebraucht – gut|Occasion – bon état|Usato – buono|Usado – bueno|Gebruikt – goed|Używany – dobry|Begagnad – gott skick',
  USED_ACCEPTABLE:
    'Used – acceptable|Gebraucht – akzeptabel|Occasion – état acceptable|Usato – accettabile|Usado – aceptable|Gebruikt – redelijk|Używany – dostateczny|Begagnad – godtagbart skick',
  FOR_PARTS:
    'For parts or not working|Als Ersatzteil / defekt|Pour pièces ou ne fonctionne pas|Per ricambi o non funzionante|Para piezas o no funciona|Voor onderdelen of defect|Na części lub uszkodzony|För delar eller defekt',
});

export const conditionLists = {
  goods: conditions,
  books: ['NEW', 'LIKE_NEW', 'USED_EXCELLENT', 'USED_GOOD', 'USED_ACCEPTABLE'],
  worn: ['NEW', 'NEW_OTHER', 'LIKE_NEW', 'USED_EXCELLENT', 'USED_GOOD', 'USED_ACCEPTABLE'],
  collected: ['NEW', 'LIKE_NEW', 'USED_EXCELLENT', 'USED_GOOD', 'USED_ACCEPTABLE', 'FOR_PARTS'],
  living: ['NEW', 'USED_GOOD'],
  newOnly: ['NEW', 'NEW_OTHER'],
} as const satisfies Record<string, readonly Condition[]>;

type ConditionList = keyof typeof conditionLists;

/** The price of an item in each condition, as a fraction of its new price. */
export const conditionPriceFactor: Readonly<Record<Condition, number>> = {
  NEW: 1,
  NEW_OTHER: 0.88,
  LIKE_NEW: 0.76,
  USED_EXCELLENT: 0.64,
  USED_GOOD: 0.5,
  USED_ACCEPTABLE: 0.34,
  FOR_PARTS: 0.18,
};

export const specificNames = parseLocalisedRows({
  brand: 'Brand|Marke|Marque|Marca|Marca|Merk|Marka|Märke',
  model: 'Model|Modell|Modèle|Modello|Modelo|Model|Model|Modell',
  type: 'Type|Produktart|Type|Tipo|Tipo|Type|Rodzaj|Typ',
  colour: 'Colour|Farbe|Couleur|Colore|Color|Kleur|Kolor|Färg',
  size: 'Size|Größe|Taille|Taglia|Talla|Maat|Rozmiar|Storlek',
  material: 'Material|Material|Matière|Materiale|Material|Materiaal|Materiał|Material',
  bookTitle: 'Book Title|Buchtitel|Titre du livre|Titolo del libro|Título del libro|Boektitel|Tytuł książki|Boktitel',
  title: 'Title|Titel|Titre|Titolo|Título|Titel|Tytuł|Titel',
  author: 'Author|Autor|Auteur|Autore|Autor|Auteur|Autor|Författare',
  artist: 'Artist|Interpret|Artiste|Artista|Artista|Artiest|Wykonawca|Artist',
  publisher: 'Publisher|Verlag|Éditeur|Editore|Editorial|Uitgever|Wydawnictwo|Förlag',
  isbn: 'ISBN|ISBN|ISBN|ISBN|ISBN|ISBN|ISBN|ISBN',
  ean: 'EAN|EAN|EAN|EAN|EAN|EAN|EAN|EAN',
  upc: 'UPC|UPC|UPC|UPC|UPC|UPC|UPC|UPC',
  format: 'Format|Format|Format|Formato|Formato|Formaat|Format|Format',
  language: 'Language|Sprache|Langue|Lingua|Idioma|Taal|Język|Språk',
  connectivity: 'Connectivity|Konnektivität|Connectivité|Connettività|Conectividad|Connectiviteit|Łączność|Anslutning',
  features: 'Features|Besonderheiten|Caractéristiques|Caratteristiche|Características|Kenmerken|Cechy|Egenskaper',
  storage: 'Storage|Speicherkapazität|Capacité|Memoria|Almacenamiento|Opslag|Pamięć|Lagring',
  platform: 'Platform|Plattform|Plateforme|Piattaforma|Plataforma|Platform|Platforma|Plattform',
  players: 'Players|Spieleranzahl|Nombre de joueurs|Giocatori|Jugadores|Aantal spelers|Liczba graczy|Antal spelare',
  age: 'Age|Altersempfehlung|Âge|Età|Edad|Leeftijd|Wiek|Ålder',
  pieces: 'Pieces|Teile|Nombre de pièces|Pezzi|Piezas|Stukjes|Liczba elementów|Antal bitar',
  volume: 'Volume|Volumen|Volume|Capacità|Volumen|Inhoud|Pojemność|Volym',
  year: 'Year|Jahr|Année|Anno|Año|Jaar|Rok|År',
});

export type SpecificKey = keyof typeof specificNames;

export type GroupId = 'media' | 'electronics' | 'fashion' | 'home' | 'leisure' | 'collecting' | 'other';

export type Category = {
  id: string;
  group: GroupId;
  names: Localised;
  nouns: Localised;
  /** Words in several languages; `*` marks a weak keyword. */
  keywords: readonly string[];
  conditions: ConditionList;
  required: readonly SpecificKey[];
  recommended: readonly SpecificKey[];
  /** True if postage cannot be calculated without the packed weight. */
  needsWeight: boolean;
  typicalWeightG: number;
  /** The price range of new items, in US cents. */
  newPriceCents: readonly [from: number, to: number];
};

const parseKeywords = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

type WrittenCategory = Record<'names' | 'nouns' | 'keywords', string> &
  Pick<Category, 'id' | 'recommended' | 'typicalWeightG' | 'newPriceCents'> &
  Partial<Pick<Category, 'conditions' | 'required' | 'needsWeight'>>;

/** By default, a category has the condition list `goods`, requires no specifics and needs a weight. */
export const parseCategories = (group: GroupId, written: readonly WrittenCategory[]): readonly Category[] =>
  written.map(({ names, nouns, keywords, ...category }) => ({
    ...{ group, conditions: 'goods', required: [], needsWeight: true },
    ...category,
    names: parseLocalisedTexts(names),
    nouns: parseLocalisedTexts(nouns),
    keywords: parseKeywords(keywords),
  }));
