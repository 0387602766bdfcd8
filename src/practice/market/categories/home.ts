import { parseKeywords, type Category } from '../category.ts';
import { parseLocalisedTexts } from '../languages.ts';

export const home: readonly Category[] = [
  {
    id: '4001',
    group: 'home',
    names: parseLocalisedTexts(
      'Mugs & Cups|Tassen & Becher|Tasses et mugs|Tazze|Tazas|Mokken & kopjes|Kubki i filiżanki|Muggar & koppar',
    ),
    nouns: parseLocalisedTexts('Mug|Tasse|Mug|Tazza|Taza|Mok|Kubek|Mugg'),
    keywords: parseKeywords(
      'mug, mugs, cup*, teacup, coffee mug, coffee cup, espresso cup, becher, kaffeetasse, kaffeebecher, teetasse, tasse, tasses, tazza, tazze, taza, mok, kopje, kubek, filiżanka, mugg, kopp',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['brand', 'colour', 'material', 'volume', 'type'],
    needsWeight: true,
    typicalWeightG: 450,
    newPriceCents: [700, 2800],
  },
  {
    id: '4002',
    group: 'home',
    names: parseLocalisedTexts(
      'Ceramics & Tableware|Keramik & Geschirr|Céramique et vaisselle|Ceramica e stoviglie|Cerámica y vajilla|Keramiek & servies|Ceramika i zastawa|Keramik & porslin',
    ),
    nouns: parseLocalisedTexts(
      'Ceramic Tableware|Keramikgeschirr|Vaisselle en céramique|Ceramica|Cerámica|Keramiek|Ceramika|Keramik',
    ),
    keywords: parseKeywords(
      'plate, plates, bowl, teapot, porcelain, ceramic*, pottery, stoneware*, vase, tableware, dinnerware, saucer, jug, geschirr, teller, schüssel, teekanne, porzellan, keramik*, vase, assiette, bol*, théière, porcelaine, faïence, piatto, ciotola, teiera, porcellana, plato, cuenco, tetera, porcelana, jarrón, bord*, kom, theepot, porselein, vaas, talerz, miska, czajnik*, porcelana, wazon, tallrik, skål, tekanna, porslin',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['brand', 'material', 'colour', 'type'],
    needsWeight: true,
    typicalWeightG: 900,
    newPriceCents: [1000, 6000],
  },
  {
    id: '4003',
    group: 'home',
    names: parseLocalisedTexts(
      'Cookware & Kitchen Tools|Kochgeschirr & Küchenhelfer|Ustensiles de cuisine|Utensili da cucina|Utensilios de cocina|Kookgerei|Naczynia i przybory kuchenne|Köksredskap',
    ),
    nouns: parseLocalisedTexts(
      'Kitchen Tool|Küchenhelfer|Ustensile de cuisine|Utensile da cucina|Utensilio de cocina|Keukengerei|Przybór kuchenny|Köksredskap',
    ),
    keywords: parseKeywords(
      'pan, frying pan, saucepan, pot*, knife, knives, chopping board, baking tin, cutlery, casserole, pfanne, kochtopf, messer, besteck, poêle, casserole, couteau, padella, pentola, coltello, sartén, olla, cuchillo, koekenpan, keukenmes, bestek, patelnia, garnek, nóż, sztućce, stekpanna, gryta, kniv, bestick, thermos, lunch box, water bottle',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['brand', 'material', 'type', 'colour', 'volume'],
    needsWeight: true,
    typicalWeightG: 1200,
    newPriceCents: [1200, 8000],
  },
  {
    id: '4004',
    group: 'home',
    names: parseLocalisedTexts(
      'Kitchen Appliances|Küchengeräte|Petit électroménager|Piccoli elettrodomestici|Pequeños electrodomésticos|Keukenapparaten|Sprzęt kuchenny AGD|Köksapparater',
    ),
    nouns: parseLocalisedTexts(
      'Kitchen Appliance|Küchengerät|Appareil de cuisine|Elettrodomestico da cucina|Electrodoméstico de cocina|Keukenapparaat|Sprzęt kuchenny|Köksapparat',
    ),
    keywords: parseKeywords(
      'toaster, kettle, blender, mixer, coffee machine, coffee maker, espresso machine, air fryer, food processor, microwave, wasserkocher, kaffeemaschine, küchenmaschine, mikrowelle, bouilloire, cafetière, grille-pain, bollitore, macchina da caffè, frullatore, tostadora, cafetera, batidora, hervidor, waterkoker, koffiezetapparaat, broodrooster, czajnik elektryczny, ekspres do kawy, toster, vattenkokare, kaffebryggare, brödrost',
    ),
    conditions: 'goods',
    required: ['brand'],
    recommended: ['model', 'type', 'colour'],
    needsWeight: true,
    typicalWeightG: 3000,
    newPriceCents: [2500, 22000],
  },
  {
    id: '4005',
    group: 'home',
    names: parseLocalisedTexts(
      'Figurines & Ornaments|Figuren & Dekoration|Figurines et décoration|Statuine e decorazioni|Figuras y decoración|Beeldjes & decoratie|Figurki i ozdoby|Figuriner & prydnader',
    ),
    nouns: parseLocalisedTexts('Figurine|Dekofigur|Figurine|Statuina|Figura decorativa|Beeldje|Figurka|Figurin'),
    keywords: parseKeywords(
      'figurine, figure*, ornament, statue, statuette, sculpture*, decor*, decoration*, candle holder, candlestick, snow globe, figur*, deko*, kerzenständer, statuina, soprammobile, figura*, estatuilla, beeldje, kandelaar, figurka, świecznik, ozdoba, prydnad, ljusstake, door knocker',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['type', 'material', 'colour', 'brand'],
    needsWeight: true,
    typicalWeightG: 600,
    newPriceCents: [1200, 7000],
  },
  {
    id: '4006',
    group: 'home',
    names: parseLocalisedTexts(
      'Picture Frames & Wall Decor|Bilderrahmen & Wanddeko|Cadres et décoration murale|Cornici e decorazioni da parete|Marcos y decoración de pared|Fotolijsten & wanddecoratie|Ramki i dekoracje ścienne|Ramar & väggdekor',
    ),
    nouns: parseLocalisedTexts('Picture Frame|Bilderrahmen|Cadre|Cornice|Marco|Fotolijst|Ramka|Tavelram'),
    keywords: parseKeywords(
      'frame*, picture frame, photo frame, framed*, mirror, wall clock, clock*, tapestry, bilderrahmen, rahmen, spiegel, wanduhr, cadre, miroir, horloge murale, cornice, specchio, marco*, espejo, fotolijst, lijst, spiegel, ramka, lustro, zegar, tavelram, spegel',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['type', 'material', 'colour', 'size'],
    needsWeight: true,
    typicalWeightG: 1500,
    newPriceCents: [1200, 8000],
  },
  {
    id: '4007',
    group: 'home',
    names: parseLocalisedTexts(
      'Lamps & Lighting|Lampen & Leuchten|Lampes et éclairage|Lampade e illuminazione|Lámparas e iluminación|Lampen & verlichting|Lampy i oświetlenie|Lampor & belysning',
    ),
    nouns: parseLocalisedTexts('Lamp|Lampe|Lampe|Lampada|Lámpara|Lamp|Lampa|Lampa'),
    keywords: parseKeywords(
      'lamp, lamps, desk lamp, table lamp, floor lamp, lantern, light bulb, led lamp, lampe, leuchte, laterne, lampada, lámpara, lampa, lampka, bordslampa, taklampa',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['brand', 'type', 'material', 'colour'],
    needsWeight: true,
    typicalWeightG: 1800,
    newPriceCents: [1800, 12000],
  },
  {
    id: '4008',
    group: 'home',
    names: parseLocalisedTexts(
      'Plants & Seeds|Pflanzen & Samen|Plantes et graines|Piante e semi|Plantas y semillas|Planten & zaden|Rośliny i nasiona|Växter & frön',
    ),
    nouns: parseLocalisedTexts('Plant|Pflanze|Plante|Pianta|Planta|Plant|Roślina|Växt'),
    keywords: parseKeywords(
      'plant, plants, houseplant, cactus, succulent, seeds, bulbs*, bonsai, orchid, monstera, pflanze, zimmerpflanze, kaktus, samen, sukkulente, plante, graines, pianta, semi*, planta, cactus, semillas, kamerplant, zaden, roślina, nasiona, sadzonka, växt, krukväxt, frön',
    ),
    conditions: 'living',
    required: [],
    recommended: ['type', 'size'],
    needsWeight: true,
    typicalWeightG: 1200,
    newPriceCents: [500, 4500],
  },
  {
    id: '4009',
    group: 'home',
    names: parseLocalisedTexts(
      'Garden & Outdoor|Garten & Terrasse|Jardin et terrasse|Giardino ed esterni|Jardín y terraza|Tuin & terras|Ogród i taras|Trädgård & uteplats',
    ),
    nouns: parseLocalisedTexts(
      'Garden Item|Gartenartikel|Article de jardin|Articolo da giardino|Artículo de jardín|Tuinartikel|Artykuł ogrodowy|Trädgårdsartikel',
    ),
    keywords: parseKeywords(
      'garden, flower pot, plant pot, planter, watering can, lawn mower, hose*, bird house, garten, blumentopf, gießkanne, rasenmäher, jardin, pot de fleurs, arrosoir, giardino, vaso*, annaffiatoio, jardín, maceta, regadera, tuin, bloempot, gieter, ogród, doniczka, konewka, trädgård, kruka, vattenkanna',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['type', 'material', 'colour', 'brand'],
    needsWeight: true,
    typicalWeightG: 2000,
    newPriceCents: [900, 9000],
  },
  {
    id: '4010',
    group: 'home',
    names: parseLocalisedTexts('Tools|Werkzeuge|Outils|Utensili e attrezzi|Herramientas|Gereedschap|Narzędzia|Verktyg'),
    nouns: parseLocalisedTexts('Tool|Werkzeug|Outil|Attrezzo|Herramienta|Gereedschap|Narzędzie|Verktyg'),
    keywords: parseKeywords(
      'tool, tools, drill, cordless drill, hammer, screwdriver, saw*, wrench, spanner, pliers, sander, toolbox, multimeter, werkzeug, bohrmaschine, akkuschrauber, schraubendreher, säge, zange, outil, perceuse, marteau, tournevis, scie, attrezzo, trapano, martello, cacciavite, herramienta, taladro, martillo, destornillador, gereedschap, boormachine, hamer, schroevendraaier, zaag, narzędzie, wiertarka, młotek, śrubokręt, verktyg, borrmaskin, hammare, skruvmejsel, såg',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['brand', 'model', 'type'],
    needsWeight: true,
    typicalWeightG: 2000,
    newPriceCents: [1500, 18000],
  },
  {
    id: '4011',
    group: 'home',
    names: parseLocalisedTexts('Furniture|Möbel|Meubles|Mobili|Muebles|Meubels|Meble|Möbler'),
    nouns: parseLocalisedTexts('Furniture|Möbelstück|Meuble|Mobile d’arredo|Mueble|Meubel|Mebel|Möbel'),
    keywords: parseKeywords(
      'chair, armchair, stool, table*, shelf, bookcase, cabinet, desk*, drawer*, sofa, stuhl, sessel, hocker, tisch, regal, schrank, chaise, fauteuil, tabouret, étagère, armoire, sedia, poltrona, tavolo, scaffale, silla, sillón, mesa, estantería, stoel, tafel, kast, krzesło, fotel, stół, półka, szafka, stol, fåtölj, bord*, hylla, skåp',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['brand', 'type', 'material', 'colour'],
    needsWeight: true,
    typicalWeightG: 9000,
    newPriceCents: [4000, 35000],
  },
  {
    id: '4012',
    group: 'home',
    names: parseLocalisedTexts(
      'Home Textiles|Heimtextilien|Linge de maison|Tessili per la casa|Textiles para el hogar|Huistextiel|Tekstylia domowe|Hemtextil',
    ),
    nouns: parseLocalisedTexts(
      'Home Textile|Heimtextil|Linge de maison|Tessile per la casa|Textil para el hogar|Huistextiel|Tekstylia|Hemtextil',
    ),
    keywords: parseKeywords(
      'blanket, cushion, pillow, curtain, curtains, bed linen, duvet, towel, rug, carpet, decke*, kissen, vorhang, bettwäsche, handtuch, teppich, couverture*, coussin, rideau, serviette*, tapis, coperta, cuscino, tenda, asciugamano, tappeto, manta, cojín, cortina, toalla, alfombra, deken, kussen, gordijn, handdoek, tapijt, koc, poduszka, zasłona, ręcznik, dywan, filt, kudde, gardin, handduk, matta',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['type', 'material', 'colour', 'size', 'brand'],
    needsWeight: true,
    typicalWeightG: 1200,
    newPriceCents: [1200, 9000],
  },
];
