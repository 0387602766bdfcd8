import { t, type Localised } from './languages.ts';

/** Every condition of the practice marketplace, best first. */
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
  NEW: t('New|Neu|Neuf|Nuovo|Nuevo|Nieuw|Nowy|Ny'),
  NEW_OTHER: t(
    'New (other)|Neu (sonstige)|Neuf (autre)|Nuovo (altro)|Nuevo (otro)|Nieuw (overig)|Nowy (inny)|Ny (övrigt)',
  ),
  LIKE_NEW: t('Like new|Wie neu|Comme neuf|Come nuovo|Como nuevo|Zo goed als nieuw|Jak nowy|Som ny'),
  USED_EXCELLENT: t(
    'Used – excellent|Gebraucht – hervorragend|Occasion – excellent état|Usato – ottimo|Usado – excelente|Gebruikt – uitstekend|Używany – idealny|Begagnad – utmärkt skick',
  ),
  USED_GOOD: t(
    'Used – good|Gebraucht – gut|Occasion – bon état|Usato – buono|Usado – bueno|Gebruikt – goed|Używany – dobry|Begagnad – gott skick',
  ),
  USED_ACCEPTABLE: t(
    'Used – acceptable|Gebraucht – akzeptabel|Occasion – état acceptable|Usato – accettabile|Usado – aceptable|Gebruikt – redelijk|Używany – dostateczny|Begagnad – godtagbart skick',
  ),
  FOR_PARTS: t(
    'For parts or not working|Als Ersatzteil / defekt|Pour pièces ou ne fonctionne pas|Per ricambi o non funzionante|Para piezas o no funciona|Voor onderdelen of defect|Na części lub uszkodzony|För delar eller defekt',
  ),
};

/** The lists of accepted conditions; each category refers to one list. */
export const conditionLists = {
  goods: conditions,
  books: ['NEW', 'LIKE_NEW', 'USED_EXCELLENT', 'USED_GOOD', 'USED_ACCEPTABLE'],
  worn: ['NEW', 'NEW_OTHER', 'LIKE_NEW', 'USED_EXCELLENT', 'USED_GOOD', 'USED_ACCEPTABLE'],
  collected: ['NEW', 'LIKE_NEW', 'USED_EXCELLENT', 'USED_GOOD', 'USED_ACCEPTABLE', 'FOR_PARTS'],
  living: ['NEW', 'USED_GOOD'],
  newOnly: ['NEW', 'NEW_OTHER'],
} as const satisfies Record<string, readonly Condition[]>;

type ConditionList = keyof typeof conditionLists;

/** The price of an item in each condition, as a fraction of the price when new. */
export const conditionPriceFactor: Readonly<Record<Condition, number>> = {
  NEW: 1,
  NEW_OTHER: 0.88,
  LIKE_NEW: 0.76,
  USED_EXCELLENT: 0.64,
  USED_GOOD: 0.5,
  USED_ACCEPTABLE: 0.34,
  FOR_PARTS: 0.18,
};

/** The item specifics that categories use, with their label in each language. */
export const specificNames = {
  brand: t('Brand|Marke|Marque|Marca|Marca|Merk|Marka|Märke'),
  model: t('Model|Modell|Modèle|Modello|Modelo|Model|Model|Modell'),
  type: t('Type|Produktart|Type|Tipo|Tipo|Type|Rodzaj|Typ'),
  colour: t('Colour|Farbe|Couleur|Colore|Color|Kleur|Kolor|Färg'),
  size: t('Size|Größe|Taille|Taglia|Talla|Maat|Rozmiar|Storlek'),
  material: t('Material|Material|Matière|Materiale|Material|Materiaal|Materiał|Material'),
  bookTitle: t(
    'Book Title|Buchtitel|Titre du livre|Titolo del libro|Título del libro|Boektitel|Tytuł książki|Boktitel',
  ),
  title: t('Title|Titel|Titre|Titolo|Título|Titel|Tytuł|Titel'),
  author: t('Author|Autor|Auteur|Autore|Autor|Auteur|Autor|Författare'),
  artist: t('Artist|Interpret|Artiste|Artista|Artista|Artiest|Wykonawca|Artist'),
  publisher: t('Publisher|Verlag|Éditeur|Editore|Editorial|Uitgever|Wydawnictwo|Förlag'),
  isbn: t('ISBN|ISBN|ISBN|ISBN|ISBN|ISBN|ISBN|ISBN'),
  ean: t('EAN|EAN|EAN|EAN|EAN|EAN|EAN|EAN'),
  upc: t('UPC|UPC|UPC|UPC|UPC|UPC|UPC|UPC'),
  format: t('Format|Format|Format|Formato|Formato|Formaat|Format|Format'),
  language: t('Language|Sprache|Langue|Lingua|Idioma|Taal|Język|Språk'),
  connectivity: t(
    'Connectivity|Konnektivität|Connectivité|Connettività|Conectividad|Connectiviteit|Łączność|Anslutning',
  ),
  features: t('Features|Besonderheiten|Caractéristiques|Caratteristiche|Características|Kenmerken|Cechy|Egenskaper'),
  storage: t('Storage|Speicherkapazität|Capacité|Memoria|Almacenamiento|Opslag|Pamięć|Lagring'),
  platform: t('Platform|Plattform|Plateforme|Piattaforma|Plataforma|Platform|Platforma|Plattform'),
  players: t('Players|Spieleranzahl|Nombre de joueurs|Giocatori|Jugadores|Aantal spelers|Liczba graczy|Antal spelare'),
  age: t('Age|Altersempfehlung|Âge|Età|Edad|Leeftijd|Wiek|Ålder'),
  pieces: t('Pieces|Teile|Nombre de pièces|Pezzi|Piezas|Stukjes|Liczba elementów|Antal bitar'),
  volume: t('Volume|Volumen|Volume|Capacità|Volumen|Inhoud|Pojemność|Volym'),
  year: t('Year|Jahr|Année|Anno|Año|Jaar|Rok|År'),
} as const satisfies Record<string, Localised>;

/** The language-independent key of an item specific. */
export type SpecificKey = keyof typeof specificNames;

export type GroupId = 'media' | 'electronics' | 'fashion' | 'home' | 'leisure' | 'collecting' | 'other';

/** A leaf category, in which an item can be listed. */
export type Category = {
  id: string;
  group: GroupId;
  /** The name of the category, in the plural. */
  names: Localised;
  /** The noun for one item, for use in a title. */
  nouns: Localised;
  /** Words in several languages that identify the category in a text; `*` marks a weak keyword. */
  keywords: readonly string[];
  conditions: ConditionList;
  required: readonly SpecificKey[];
  recommended: readonly SpecificKey[];
  /** True if postage cannot be quoted without the packed weight. */
  needsWeight: boolean;
  typicalWeightG: number;
  /** The price range of new items, in US cents. */
  newPriceCents: readonly [from: number, to: number];
};

export const words = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
