import { parseCategories } from '../category.ts';

export const leisure = parseCategories('leisure', [
  {
    id: '5001',
    names:
      'Board & Card Games|Brett- & Kartenspiele|Jeux de société|Giochi da tavolo|Juegos de mesa|Bordspellen|Gry planszowe|Sällskapsspel',
    nouns: 'Board Game|Brettspiel|Jeu de société|Gioco da tavolo|Juego de mesa|Bordspel|Gra planszowa|Sällskapsspel',
    keywords:
      'board game, boardgame, card game, dice game, strategy game, family game, party game, players, 2-4 players, 2-5 players, 2-6 players, chess, monopoly, scrabble, catan, risk*, dice*, brettspiel, gesellschaftsspiel, kartenspiel, familienspiel, spieler, jeu de société, joueurs, jeu de cartes, gioco da tavolo, giocatori, juego de mesa, jugadores, bordspel, spelers, gra planszowa, graczy, sällskapsspel, brädspel, spelare, game*',
    recommended: ['title', 'players', 'age', 'brand', 'language'],
    typicalWeightG: 1100,
    newPriceCents: [1500, 6000],
  },
  {
    id: '5002',
    names: 'Jigsaw Puzzles|Puzzles|Puzzles|Puzzle|Puzles|Legpuzzels|Puzzle|Pussel',
    nouns: 'Jigsaw Puzzle|Puzzle|Puzzle|Puzzle|Puzle|Legpuzzel|Puzzle|Pussel',
    keywords:
      'jigsaw, puzzle, puzzles, jigsaw puzzle, 1000 pieces, 500 pieces, 1500 pieces, 1000 teile, puzzleteile, pièces*, pezzi*, piezas*, legpuzzel, stukjes, układanka, pussel, bitar*, pieces*',
    recommended: ['pieces', 'title', 'brand', 'age'],
    typicalWeightG: 800,
    newPriceCents: [900, 3500],
  },
  {
    id: '5003',
    names: 'Toys|Spielzeug|Jouets|Giocattoli|Juguetes|Speelgoed|Zabawki|Leksaker',
    nouns: 'Toy|Spielzeug|Jouet|Giocattolo|Juguete|Speelgoed|Zabawka|Leksak',
    keywords:
      'toy, toys, doll, teddy, teddy bear, plush, stuffed animal, toy car, model train, action figure, wooden toy, spielzeug, puppe, teddybär, kuscheltier, plüschtier, modelleisenbahn, jouet, poupée, peluche, giocattolo, bambola, juguete, muñeca, speelgoed, pop*, knuffel, zabawka, lalka, miś, leksak, docka, gosedjur, ages 3+',
    recommended: ['type', 'brand', 'age', 'material'],
    typicalWeightG: 600,
    newPriceCents: [800, 5000],
  },
  {
    id: '5004',
    names:
      'Building Sets|Bausteine & Bausätze|Jeux de construction|Costruzioni|Juegos de construcción|Bouwsets|Klocki konstrukcyjne|Byggsatser',
    nouns:
      'Building Set|Baukasten|Jeu de construction|Set di costruzioni|Juego de construcción|Bouwset|Zestaw klocków|Byggsats',
    keywords:
      'lego, duplo, playmobil, building blocks, building set, bricks*, model kit, bausteine, bausatz, jeu de construction, costruzioni, klocki, byggsats, technic*',
    required: ['brand'],
    recommended: ['model', 'pieces', 'age'],
    typicalWeightG: 1200,
    newPriceCents: [1500, 15000],
  },
  {
    id: '5005',
    names:
      'Bicycles & Parts|Fahrräder & Teile|Vélos et pièces|Biciclette e ricambi|Bicicletas y piezas|Fietsen & onderdelen|Rowery i części|Cyklar & delar',
    nouns: 'Bicycle|Fahrrad|Vélo|Bicicletta|Bicicleta|Fiets|Rower|Cykel',
    keywords:
      'bicycle, bike*, cycling, mountain bike, road bike, helmet*, saddle, fahrrad, rennrad, fahrradhelm, vélo, bicicletta, bici*, bicicleta, fiets, racefiets, rower, cykel, shimano',
    recommended: ['brand', 'type', 'size', 'colour'],
    typicalWeightG: 14000,
    newPriceCents: [4000, 90000],
  },
  {
    id: '5006',
    names:
      'Scooters & Skateboards|Roller & Skateboards|Trottinettes et skateboards|Monopattini e skateboard|Patinetes y monopatines|Steps & skateboards|Hulajnogi i deskorolki|Sparkcyklar & skateboards',
    nouns: 'Scooter|Roller|Trottinette|Monopattino|Patinete|Step|Hulajnoga|Sparkcykel',
    keywords:
      'scooter, kick scooter, e-scooter, electric scooter, vespa, skateboard, longboard, inline skates, tretroller, trottinette, monopattino, patinete, step*, hulajnoga, deskorolka, sparkcykel, elsparkcykel, motorroller',
    recommended: ['brand', 'model', 'type', 'colour'],
    typicalWeightG: 9000,
    newPriceCents: [4000, 60000],
  },
  {
    id: '5007',
    names:
      'Sports & Fitness|Sport & Fitness|Sports et fitness|Sport e fitness|Deporte y fitness|Sport & fitness|Sport i fitness|Sport & träning',
    nouns:
      'Sports Equipment|Sportgerät|Article de sport|Attrezzatura sportiva|Equipo deportivo|Sportartikel|Sprzęt sportowy|Sportutrustning',
    keywords:
      'dumbbell, kettlebell, yoga mat, tennis, racket, racquet, football*, basketball, golf, skis, ski*, snowboard, fishing rod, treadmill, fitness*, hantel, yogamatte, tennisschläger, fußball, angelrute, raquette, ballon, racchetta, pallone, raqueta, balón, hengel, voetbal, rakieta tenisowa, piłka, narty, wędka, skidor, fotboll, hantlar, sport*',
    recommended: ['brand', 'type', 'size', 'colour'],
    typicalWeightG: 2500,
    newPriceCents: [1500, 15000],
  },
  {
    id: '5008',
    names:
      'Musical Instruments|Musikinstrumente|Instruments de musique|Strumenti musicali|Instrumentos musicales|Muziekinstrumenten|Instrumenty muzyczne|Musikinstrument',
    nouns:
      'Musical Instrument|Musikinstrument|Instrument de musique|Strumento musicale|Instrumento musical|Muziekinstrument|Instrument muzyczny|Musikinstrument',
    keywords:
      'guitar, violin, piano, keyboard piano, synthesizer, flute, trumpet, saxophone, drum*, drums, ukulele, harmonica, accordion, gitarre, geige, klavier, flöte, trompete, schlagzeug, mundharmonika, guitare, violon, flûte, batterie*, chitarra, violino, pianoforte, flauto, guitarra, violín, flauta, gitaar, viool, gitara, skrzypce, flet, gitarr, fiol, dragspel',
    recommended: ['brand', 'model', 'type', 'colour'],
    typicalWeightG: 3500,
    newPriceCents: [5000, 60000],
  },
  {
    id: '5009',
    names:
      'Camping & Hiking|Camping & Wandern|Camping et randonnée|Campeggio ed escursionismo|Camping y senderismo|Kamperen & wandelen|Turystyka i kemping|Camping & vandring',
    nouns:
      'Camping Gear|Campingausrüstung|Matériel de camping|Attrezzatura da campeggio|Equipo de camping|Kampeeruitrusting|Sprzęt turystyczny|Campingutrustning',
    keywords:
      'tent, sleeping bag, camping stove, hiking poles, compass, binoculars, zelt, schlafsack, wanderstöcke, fernglas, tente, sac de couchage, jumelles, tenda da campeggio, sacco a pelo, binocolo, tienda de campaña, saco de dormir, prismáticos, slaapzak, verrekijker, namiot, śpiwór, lornetka, tält, sovsäck, kikare, camping',
    recommended: ['brand', 'type', 'size', 'colour'],
    typicalWeightG: 2500,
    newPriceCents: [2000, 20000],
  },
]);
