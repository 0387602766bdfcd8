import { parseCategories } from '../category.ts';

export const media = parseCategories('media', [
  {
    id: '1001',
    names: 'Books|Bücher|Livres|Libri|Libros|Boeken|Książki|Böcker',
    nouns: 'Book|Buch|Livre|Libro|Libro|Boek|Książka|Bok',
    keywords:
      'book, books, novel, paperback, hardcover, hardback, isbn, edition, chapter*, author*, publisher, press*, cookbook, guidebook, atlas*, dictionary, textbook, buch, roman, taschenbuch, hardcover, verlag, auflage, livre, poche, éditions, romanzo, libro, novela, editorial*, boek, uitgeverij, książka, powieść, wydawnictwo, bok, pocketbok, förlag, bestseller*, a novel, stories*, poems, thriller*, memoir',
    conditions: 'books',
    required: ['bookTitle'],
    recommended: ['author', 'format', 'language', 'publisher', 'isbn'],
    typicalWeightG: 450,
    newPriceCents: [800, 3200],
  },
  {
    id: '1002',
    names:
      'Vinyl Records|Schallplatten|Disques vinyles|Dischi in vinile|Discos de vinilo|Vinylplaten|Płyty winylowe|Vinylskivor',
    nouns:
      'Vinyl Record|Schallplatte|Disque vinyle|Disco in vinile|Disco de vinilo|Vinylplaat|Płyta winylowa|Vinylskiva',
    keywords:
      'vinyl, lp, record*, 33 rpm, 45 rpm, 33⅓, stereo*, side a, side b, schallplatte, disque, vinyle, vinile, vinilo, winyl, vinylskiva, records*',
    conditions: 'collected',
    recommended: ['artist', 'title', 'format', 'year'],
    typicalWeightG: 350,
    newPriceCents: [1200, 4500],
  },
  {
    id: '1003',
    names: 'Music CDs|Musik-CDs|CD audio|CD musicali|CD de música|Muziek-cd’s|Płyty CD|Musik-CD',
    nouns: 'CD|CD|CD|CD|CD|Cd|Płyta CD|CD',
    keywords: 'cd, compact disc, audio cd, digital audio, album*, soundtrack*, musik-cd',
    conditions: 'collected',
    recommended: ['artist', 'title', 'format'],
    typicalWeightG: 120,
    newPriceCents: [500, 1800],
  },
  {
    id: '1004',
    names:
      'Films on DVD & Blu-ray|DVDs & Blu-rays|DVD et Blu-ray|DVD e Blu-ray|DVD y Blu-ray|Dvd’s & blu-rays|Filmy DVD i Blu-ray|DVD & Blu-ray',
    nouns: 'DVD|DVD|DVD|DVD|DVD|Dvd|DVD|DVD',
    keywords: 'dvd, blu-ray, bluray, blu ray, widescreen, region 2, dolby digital*, director’s cut, 4k ultra hd, vhs',
    conditions: 'collected',
    recommended: ['title', 'format', 'language'],
    typicalWeightG: 140,
    newPriceCents: [500, 2200],
  },
  {
    id: '1005',
    names: 'Video Games|Videospiele|Jeux vidéo|Videogiochi|Videojuegos|Videogames|Gry wideo|TV-spel',
    nouns: 'Video Game|Videospiel|Jeu vidéo|Videogioco|Videojuego|Videogame|Gra wideo|TV-spel',
    keywords:
      'video game, nintendo switch game, playstation game, xbox game, wii game, ps5 game, ps4 game, switch game, xbox game, pegi, esrb, game disc, game cartridge, game boy game, videospiel, jeu vidéo, videogioco, videojuego, gra na ps4, tv-spel, nintendo game',
    conditions: 'collected',
    required: ['platform'],
    recommended: ['title'],
    typicalWeightG: 150,
    newPriceCents: [1500, 6500],
  },
  {
    id: '1006',
    names:
      'Magazines & Comics|Zeitschriften & Comics|Magazines et BD|Riviste e fumetti|Revistas y cómics|Tijdschriften & strips|Czasopisma i komiksy|Tidningar & serier',
    nouns: 'Magazine|Zeitschrift|Magazine|Rivista|Revista|Tijdschrift|Czasopismo|Tidning',
    keywords:
      'magazine, comic, comics, manga, issue no, zeitschrift, heft*, bande dessinée, fumetto, fumetti, revista, cómic, tijdschrift, strip, komiks, czasopismo, tidning, serietidning',
    conditions: 'collected',
    recommended: ['title', 'year', 'language'],
    typicalWeightG: 250,
    newPriceCents: [300, 1500],
  },
]);
