import { parseKeywords, type Category } from '../category.ts';
import { parseLocalisedTexts } from '../languages.ts';

export const media: readonly Category[] = [
  {
    id: '1001',
    group: 'media',
    names: parseLocalisedTexts('Books|Bücher|Livres|Libri|Libros|Boeken|Książki|Böcker'),
    nouns: parseLocalisedTexts('Book|Buch|Livre|Libro|Libro|Boek|Książka|Bok'),
    keywords: parseKeywords(
      'book, books, novel, paperback, hardcover, hardback, isbn, edition, chapter*, author*, publisher, press*, cookbook, guidebook, atlas*, dictionary, textbook, buch, roman, taschenbuch, hardcover, verlag, auflage, livre, poche, éditions, romanzo, libro, novela, editorial*, boek, uitgeverij, książka, powieść, wydawnictwo, bok, pocketbok, förlag, bestseller*, a novel, stories*, poems, thriller*, memoir',
    ),
    conditions: 'books',
    required: ['bookTitle'],
    recommended: ['author', 'format', 'language', 'publisher', 'isbn'],
    needsWeight: true,
    typicalWeightG: 450,
    newPriceCents: [800, 3200],
  },
  {
    id: '1002',
    group: 'media',
    names: parseLocalisedTexts(
      'Vinyl Records|Schallplatten|Disques vinyles|Dischi in vinile|Discos de vinilo|Vinylplaten|Płyty winylowe|Vinylskivor',
    ),
    nouns: parseLocalisedTexts(
      'Vinyl Record|Schallplatte|Disque vinyle|Disco in vinile|Disco de vinilo|Vinylplaat|Płyta winylowa|Vinylskiva',
    ),
    keywords: parseKeywords(
      'vinyl, lp, record*, 33 rpm, 45 rpm, 33⅓, stereo*, side a, side b, schallplatte, disque, vinyle, vinile, vinilo, winyl, vinylskiva, records*',
    ),
    conditions: 'collected',
    required: [],
    recommended: ['artist', 'title', 'format', 'year'],
    needsWeight: true,
    typicalWeightG: 350,
    newPriceCents: [1200, 4500],
  },
  {
    id: '1003',
    group: 'media',
    names: parseLocalisedTexts('Music CDs|Musik-CDs|CD audio|CD musicali|CD de música|Muziek-cd’s|Płyty CD|Musik-CD'),
    nouns: parseLocalisedTexts('CD|CD|CD|CD|CD|Cd|Płyta CD|CD'),
    keywords: parseKeywords('cd, compact disc, audio cd, digital audio, album*, soundtrack*, musik-cd'),
    conditions: 'collected',
    required: [],
    recommended: ['artist', 'title', 'format'],
    needsWeight: true,
    typicalWeightG: 120,
    newPriceCents: [500, 1800],
  },
  {
    id: '1004',
    group: 'media',
    names: parseLocalisedTexts(
      'Films on DVD & Blu-ray|DVDs & Blu-rays|DVD et Blu-ray|DVD e Blu-ray|DVD y Blu-ray|Dvd’s & blu-rays|Filmy DVD i Blu-ray|DVD & Blu-ray',
    ),
    nouns: parseLocalisedTexts('DVD|DVD|DVD|DVD|DVD|Dvd|DVD|DVD'),
    keywords: parseKeywords(
      'dvd, blu-ray, bluray, blu ray, widescreen, region 2, dolby digital*, director’s cut, 4k ultra hd, vhs',
    ),
    conditions: 'collected',
    required: [],
    recommended: ['title', 'format', 'language'],
    needsWeight: true,
    typicalWeightG: 140,
    newPriceCents: [500, 2200],
  },
  {
    id: '1005',
    group: 'media',
    names: parseLocalisedTexts(
      'Video Games|Videospiele|Jeux vidéo|Videogiochi|Videojuegos|Videogames|Gry wideo|TV-spel',
    ),
    nouns: parseLocalisedTexts('Video Game|Videospiel|Jeu vidéo|Videogioco|Videojuego|Videogame|Gra wideo|TV-spel'),
    keywords: parseKeywords(
      'video game, nintendo switch game, playstation game, xbox game, wii game, ps5 game, ps4 game, switch game, xbox game, pegi, esrb, game disc, game cartridge, game boy game, videospiel, jeu vidéo, videogioco, videojuego, gra na ps4, tv-spel, nintendo game',
    ),
    conditions: 'collected',
    required: ['platform'],
    recommended: ['title'],
    needsWeight: true,
    typicalWeightG: 150,
    newPriceCents: [1500, 6500],
  },
  {
    id: '1006',
    group: 'media',
    names: parseLocalisedTexts(
      'Magazines & Comics|Zeitschriften & Comics|Magazines et BD|Riviste e fumetti|Revistas y cómics|Tijdschriften & strips|Czasopisma i komiksy|Tidningar & serier',
    ),
    nouns: parseLocalisedTexts('Magazine|Zeitschrift|Magazine|Rivista|Revista|Tijdschrift|Czasopismo|Tidning'),
    keywords: parseKeywords(
      'magazine, comic, comics, manga, issue no, zeitschrift, heft*, bande dessinée, fumetto, fumetti, revista, cómic, tijdschrift, strip, komiks, czasopismo, tidning, serietidning',
    ),
    conditions: 'collected',
    required: [],
    recommended: ['title', 'year', 'language'],
    needsWeight: true,
    typicalWeightG: 250,
    newPriceCents: [300, 1500],
  },
];
