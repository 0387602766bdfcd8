import { parseTexts, type Localised } from './languages.ts';

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

export const conditionNames: Readonly<Record<Condition, Localised>> = {
  NEW: parseTexts('New|Neu|Neuf|Nuovo|Nuevo|Nieuw|Nowy|Ny'),
  NEW_OTHER: parseTexts(
    'New (other)|Neu (sonstige)|Neuf (autre)|Nuovo (altro)|Nuevo (otro)|Nieuw (overig)|Nowy (inny)|Ny (övrigt)',
  ),
  LIKE_NEW: parseTexts('Like new|Wie neu|Comme neuf|Come nuovo|Como nuevo|Zo goed als nieuw|Jak nowy|Som ny'),
  USED_EXCELLENT: parseTexts(
    'Used – excellent|Gebraucht – hervorragend|Occasion – excellent état|Usato – ottimo|Usado – excelente|Gebruikt – uitstekend|Używany – idealny|Begagnad – utmärkt skick',
  ),
  USED_GOOD: parseTexts(
    'Used – good|Gebraucht – gut|Occasion – bon état|Usato – buono|Usado – bueno|Gebruikt – goed|Używany – dobry|Begagnad – gott skick',
  ),
  USED_ACCEPTABLE: parseTexts(
    'Used – acceptable|Gebraucht – akzeptabel|Occasion – état acceptable|Usato – accettabile|Usado – aceptable|Gebruikt – redelijk|Używany – dostateczny|Begagnad – godtagbart skick',
  ),
  FOR_PARTS: parseTexts(
    'For parts or not working|Als Ersatzteil / defekt|Pour pièces ou ne fonctionne pas|Per ricambi o non funzionante|Para piezas o no funciona|Voor onderdelen of defect|Na części lub uszkodzony|För delar eller defekt',
  ),
};

export const conditionLists = {
  goods: conditions,
  books: ['NEW', 'LIKE_NEW', 'USED_EXCELLENT', 'USED_GOOD', 'USED_ACCEPTABLE'],
  worn: ['NEW', 'NEW_OTHER', 'LIKE_NEW', 'USED_EXCELLENT', 'USED_GOOD', 'USED_ACCEPTABLE'],
  collected: ['NEW', 'LIKE_NEW', 'USED_EXCELLENT', 'USED_GOOD', 'USED_ACCEPTABLE', 'FOR_PARTS'],
  living: ['NEW', 'USED_GOOD'],
  newOnly: ['NEW', 'NEW_OTHER'],
} as const satisfies Record<string, readonly Condition[]>;

type ConditionList = keyof typeof conditionLists;

/** The price of a used item as a fraction of its new price. */
export const conditionPriceFactor: Readonly<Record<Condition, number>> = {
  NEW: 1,
  NEW_OTHER: 0.88,
  LIKE_NEW: 0.76,
  USED_EXCELLENT: 0.64,
  USED_GOOD: 0.5,
  USED_ACCEPTABLE: 0.34,
  FOR_PARTS: 0.18,
};

export const specificNames = {
  brand: parseTexts('Brand|Marke|Marque|Marca|Marca|Merk|Marka|Märke'),
  model: parseTexts('Model|Modell|Modèle|Modello|Modelo|Model|Model|Modell'),
  type: parseTexts('Type|Produktart|Type|Tipo|Tipo|Type|Rodzaj|Typ'),
  colour: parseTexts('Colour|Farbe|Couleur|Colore|Color|Kleur|Kolor|Färg'),
  size: parseTexts('Size|Größe|Taille|Taglia|Talla|Maat|Rozmiar|Storlek'),
  material: parseTexts('Material|Material|Matière|Materiale|Material|Materiaal|Materiał|Material'),
  bookTitle: parseTexts(
    'Book Title|Buchtitel|Titre du livre|Titolo del libro|Título del libro|Boektitel|Tytuł książki|Boktitel',
  ),
  title: parseTexts('Title|Titel|Titre|Titolo|Título|Titel|Tytuł|Titel'),
  author: parseTexts('Author|Autor|Auteur|Autore|Autor|Auteur|Autor|Författare'),
  artist: parseTexts('Artist|Interpret|Artiste|Artista|Artista|Artiest|Wykonawca|Artist'),
  publisher: parseTexts('Publisher|Verlag|Éditeur|Editore|Editorial|Uitgever|Wydawnictwo|Förlag'),
  isbn: parseTexts('ISBN|ISBN|ISBN|ISBN|ISBN|ISBN|ISBN|ISBN'),
  ean: parseTexts('EAN|EAN|EAN|EAN|EAN|EAN|EAN|EAN'),
  upc: parseTexts('UPC|UPC|UPC|UPC|UPC|UPC|UPC|UPC'),
  format: parseTexts('Format|Format|Format|Formato|Formato|Formaat|Format|Format'),
  language: parseTexts('Language|Sprache|Langue|Lingua|Idioma|Taal|Język|Språk'),
  connectivity: parseTexts(
    'Connectivity|Konnektivität|Connectivité|Connettività|Conectividad|Connectiviteit|Łączność|Anslutning',
  ),
  features: parseTexts(
    'Features|Besonderheiten|Caractéristiques|Caratteristiche|Características|Kenmerken|Cechy|Egenskaper',
  ),
  storage: parseTexts('Storage|Speicherkapazität|Capacité|Memoria|Almacenamiento|Opslag|Pamięć|Lagring'),
  platform: parseTexts('Platform|Plattform|Plateforme|Piattaforma|Plataforma|Platform|Platforma|Plattform'),
  players: parseTexts(
    'Players|Spieleranzahl|Nombre de joueurs|Giocatori|Jugadores|Aantal spelers|Liczba graczy|Antal spelare',
  ),
  age: parseTexts('Age|Altersempfehlung|Âge|Età|Edad|Leeftijd|Wiek|Ålder'),
  pieces: parseTexts('Pieces|Teile|Nombre de pièces|Pezzi|Piezas|Stukjes|Liczba elementów|Antal bitar'),
  volume: parseTexts('Volume|Volumen|Volume|Capacità|Volumen|Inhoud|Pojemność|Volym'),
  year: parseTexts('Year|Jahr|Année|Anno|Año|Jaar|Rok|År'),
} as const satisfies Record<string, Localised>;

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

export const parseKeywords = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
