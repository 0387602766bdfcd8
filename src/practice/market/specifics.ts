import { t, type Localised } from './languages.ts';

/** Item specifics that categories ask for, with their label in each language. */
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

/** What the tables call an item specific, whatever its label. */
export type SpecificKey = keyof typeof specificNames;
