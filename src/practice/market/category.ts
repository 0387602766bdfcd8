import { parseLocalisedTexts, type Localised } from './languages.ts';

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
  NEW: parseLocalisedTexts('New|Neu|Neuf|Nuovo|Nuevo|Nieuw|Nowy|Ny'),
  NEW_OTHER: parseLocalisedTexts(
    'New (other)|Neu (sonstige)|Neuf (autre)|Nuovo (altro)|Nuevo (otro)|Nieuw (overig)|Nowy (inny)|Ny (övrigt)',
  ),
  LIKE_NEW: parseLocalisedTexts('Like new|Wie neu|Comme neuf|Come nuovo|Como nuevo|Zo goed als nieuw|Jak nowy|Som ny'),
  USED_EXCELLENT: parseLocalisedTexts(
    'Used – excellent|Gebraucht – hervorragend|Occasion – excellent état|Usato – ottimo|Usado – excelente|Gebruikt – uitstekend|Używany – idealny|Begagnad – utmärkt skick',
  ),
  USED_GOOD: parseLocalisedTexts(
    'Used – good|Gebraucht – gut|Occasion – bon état|Usato – buono|Usado – bueno|Gebruikt – goed|Używany – dobry|Begagnad – gott skick',
  ),
  USED_ACCEPTABLE: parseLocalisedTexts(
    'Used – acceptable|Gebraucht – akzeptabel|Occasion – état acceptable|Usato – accettabile|Usado – aceptable|Gebruikt – redelijk|Używany – dostateczny|Begagnad – godtagbart skick',
  ),
  FOR_PARTS: parseLocalisedTexts(
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
  brand: parseLocalisedTexts('Brand|Marke|Marque|Marca|Marca|Merk|Marka|Märke'),
  model: parseLocalisedTexts('Model|Modell|Modèle|Modello|Modelo|Model|Model|Modell'),
  type: parseLocalisedTexts('Type|Produktart|Type|Tipo|Tipo|Type|Rodzaj|Typ'),
  colour: parseLocalisedTexts('Colour|Farbe|Couleur|Colore|Color|Kleur|Kolor|Färg'),
  size: parseLocalisedTexts('Size|Größe|Taille|Taglia|Talla|Maat|Rozmiar|Storlek'),
  material: parseLocalisedTexts('Material|Material|Matière|Materiale|Material|Materiaal|Materiał|Material'),
  bookTitle: parseLocalisedTexts(
    'Book Title|Buchtitel|Titre du livre|Titolo del libro|Título del libro|Boektitel|Tytuł książki|Boktitel',
  ),
  title: parseLocalisedTexts('Title|Titel|Titre|Titolo|Título|Titel|Tytuł|Titel'),
  author: parseLocalisedTexts('Author|Autor|Auteur|Autore|Autor|Auteur|Autor|Författare'),
  artist: parseLocalisedTexts('Artist|Interpret|Artiste|Artista|Artista|Artiest|Wykonawca|Artist'),
  publisher: parseLocalisedTexts('Publisher|Verlag|Éditeur|Editore|Editorial|Uitgever|Wydawnictwo|Förlag'),
  isbn: parseLocalisedTexts('ISBN|ISBN|ISBN|ISBN|ISBN|ISBN|ISBN|ISBN'),
  ean: parseLocalisedTexts('EAN|EAN|EAN|EAN|EAN|EAN|EAN|EAN'),
  upc: parseLocalisedTexts('UPC|UPC|UPC|UPC|UPC|UPC|UPC|UPC'),
  format: parseLocalisedTexts('Format|Format|Format|Formato|Formato|Formaat|Format|Format'),
  language: parseLocalisedTexts('Language|Sprache|Langue|Lingua|Idioma|Taal|Język|Språk'),
  connectivity: parseLocalisedTexts(
    'Connectivity|Konnektivität|Connectivité|Connettività|Conectividad|Connectiviteit|Łączność|Anslutning',
  ),
  features: parseLocalisedTexts(
    'Features|Besonderheiten|Caractéristiques|Caratteristiche|Características|Kenmerken|Cechy|Egenskaper',
  ),
  storage: parseLocalisedTexts('Storage|Speicherkapazität|Capacité|Memoria|Almacenamiento|Opslag|Pamięć|Lagring'),
  platform: parseLocalisedTexts('Platform|Plattform|Plateforme|Piattaforma|Plataforma|Platform|Platforma|Plattform'),
  players: parseLocalisedTexts(
    'Players|Spieleranzahl|Nombre de joueurs|Giocatori|Jugadores|Aantal spelers|Liczba graczy|Antal spelare',
  ),
  age: parseLocalisedTexts('Age|Altersempfehlung|Âge|Età|Edad|Leeftijd|Wiek|Ålder'),
  pieces: parseLocalisedTexts('Pieces|Teile|Nombre de pièces|Pezzi|Piezas|Stukjes|Liczba elementów|Antal bitar'),
  volume: parseLocalisedTexts('Volume|Volumen|Volume|Capacità|Volumen|Inhoud|Pojemność|Volym'),
  year: parseLocalisedTexts('Year|Jahr|Année|Anno|Año|Jaar|Rok|År'),
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
