import { parseCategories } from '../category.ts';

export const home = parseCategories('home', [
  {
    id: '4001',
    names: 'Mugs & Cups|Tassen & Becher|Tasses et mugs|Tazze|Tazas|Mokken & kopjes|Kubki i filiżanki|Muggar & koppar',
    nouns: 'Mug|Tasse|Mug|Tazza|Taza|Mok|Kubek|Mugg',
    keywords:
      'mug, mugs, cup*, teacup, coffee mug, coffee cup, espresso cup, becher, kaffeetasse, kaffeebecher, teetasse, tasse, tasses, tazza, tazze, taza, mok, kopje, kubek, filiżanka, mugg, kopp',
    recommended: ['brand', 'colour', 'material', 'volume', 'type'],
    typicalWeightG: 450,
    newPriceCents: [700, 2800],
  },
  {
    id: '4002',
    names:
      'Ceramics & Tableware|Keramik & Geschirr|Céramique et vaisselle|Ceramica e stoviglie|Cerámica y vajilla|Keramiek & servies|Ceramika i zastawa|Keramik & porslin',
    nouns: 'Ceramic Tableware|Keramikgeschirr|Vaisselle en céramique|Ceramica|Cerámica|Keramiek|Ceramika|Keramik',
    keywords:
      'plate, plates, bowl, teapot, porcelain, ceramic*, pottery, stoneware*, vase, tableware, dinnerware, saucer, jug, geschirr, teller, schüssel, teekanne, porzellan, keramik*, vase, assiette, bol*, théière, porcelaine, faïence, piatto, ciotola, teiera, porcellana, plato, cuenco, tetera, porcelana, jarrón, bord*, kom, theepot, porselein, vaas, talerz, miska, czajnik*, porcelana, wazon, tallrik, skål, tekanna, porslin',
    recommended: ['brand', 'material', 'colour', 'type'],
    typicalWeightG: 900,
    newPriceCents: [1000, 6000],
  },
  {
    id: '4003',
    names:
      'Cookware & Kitchen Tools|Kochgeschirr & Küchenhelfer|Ustensiles de cuisine|Utensili da cucina|Utensilios de cocina|Kookgerei|Naczynia i przybory kuchenne|Köksredskap',
    nouns:
      'Kitchen Tool|Küchenhelfer|Ustensile de cuisine|Utensile da cucina|Utensilio de cocina|Keukengerei|Przybór kuchenny|Köksredskap',
    keywords:
      'pan, frying pan, saucepan, pot*, knife, knives, chopping board, baking tin, cutlery, casserole, pfanne, kochtopf, messer, besteck, poêle, casserole, couteau, padella, pentola, coltello, sartén, olla, cuchillo, koekenpan, keukenmes, bestek, patelnia, garnek, nóż, sztućce, stekpanna, gryta, kniv, bestick, thermos, lunch box, water bottle',
    recommended: ['brand', 'material', 'type', 'colour', 'volume'],
    typicalWeightG: 1200,
    newPriceCents: [1200, 8000],
  },
  {
    id: '4004',
    names:
      'Kitchen Appliances|Küchengeräte|Petit électroménager|Piccoli elettrodomestici|Pequeños electrodomésticos|Keukenapparaten|Sprzęt kuchenny AGD|Köksapparater',
    nouns:
      'Kitchen Appliance|Küchengerät|Appareil de cuisine|Elettrodomestico da cucina|Electrodoméstico de cocina|Keukenapparaat|Sprzęt kuchenny|Köksapparat',
    keywords:
      'toaster, kettle, blender, mixer, coffee machine, coffee maker, espresso machine, air fryer, food processor, microwave, wasserkocher, kaffeemaschine, küchenmaschine, mikrowelle, bouilloire, cafetière, grille-pain, bollitore, macchina da caffè, frullatore, tostadora, cafetera, batidora, hervidor, waterkoker, koffiezetapparaat, broodrooster, czajnik elektryczny, ekspres do kawy, toster, vattenkokare, kaffebryggare, brödrost',
    required: ['brand'],
    recommended: ['model', 'type', 'colour'],
    typicalWeightG: 3000,
    newPriceCents: [2500, 22000],
  },
  {
    id: '4005',
    names:
      'Figurines & Ornaments|Figuren & Dekoration|Figurines et décoration|Statuine e decorazioni|Figuras y decoración|Beeldjes & decoratie|Figurki i ozdoby|Figuriner & prydnader',
    nouns: 'Figurine|Dekofigur|Figurine|Statuina|Figura decorativa|Beeldje|Figurka|Figurin',
    keywords:
      'figurine, figure*, ornament, statue, statuette, sculpture*, decor*, decoration*, candle holder, candlestick, snow globe, figur*, deko*, kerzenständer, statuina, soprammobile, figura*, estatuilla, beeldje, kandelaar, figurka, świecznik, ozdoba, prydnad, ljusstake, door knocker',
    recommended: ['type', 'material', 'colour', 'brand'],
    typicalWeightG: 600,
    newPriceCents: [1200, 7000],
  },
  {
    id: '4006',
    names:
      'Picture Frames & Wall Decor|Bilderrahmen & Wanddeko|Cadres et décoration murale|Cornici e decorazioni da parete|Marcos y decoración de pared|Fotolijsten & wanddecoratie|Ramki i dekoracje ścienne|Ramar & väggdekor',
    nouns: 'Picture Frame|Bilderrahmen|Cadre|Cornice|Marco|Fotolijst|Ramka|Tavelram',
    keywords:
      'frame*, picture frame, photo frame, framed*, mirror, wall clock, clock*, tapestry, bilderrahmen, rahmen, spiegel, wanduhr, cadre, miroir, horloge murale, cornice, specchio, marco*, espejo, fotolijst, lijst, spiegel, ramka, lustro, zegar, tavelram, spegel',
    recommended: ['type', 'material', 'colour', 'size'],
    typicalWeightG: 1500,
    newPriceCents: [1200, 8000],
  },
  {
    id: '4007',
    names:
      'Lamps & Lighting|Lampen & Leuchten|Lampes et éclairage|Lampade e illuminazione|Lámparas e iluminación|Lampen & verlichting|Lampy i oświetlenie|Lampor & belysning',
    nouns: 'Lamp|Lampe|Lampe|Lampada|Lámpara|Lamp|Lampa|Lampa',
    keywords:
      'lamp, lamps, desk lamp, table lamp, floor lamp, lantern, light bulb, led lamp, lampe, leuchte, laterne, lampada, lámpara, lampa, lampka, bordslampa, taklampa',
    recommended: ['brand', 'type', 'material', 'colour'],
    typicalWeightG: 1800,
    newPriceCents: [1800, 12000],
  },
  {
    id: '4008',
    names:
      'Plants & Seeds|Pflanzen & Samen|Plantes et graines|Piante e semi|Plantas y semillas|Planten & zaden|Rośliny i nasiona|Växter & frön',
    nouns: 'Plant|Pflanze|Plante|Pianta|Planta|Plant|Roślina|Växt',
    keywords:
      'plant, plants, houseplant, cactus, succulent, seeds, bulbs*, bonsai, orchid, monstera, pflanze, zimmerpflanze, kaktus, samen, sukkulente, plante, graines, pianta, semi*, planta, cactus, semillas, kamerplant, zaden, roślina, nasiona, sadzonka, växt, krukväxt, frön',
    conditions: 'living',
    recommended: ['type', 'size'],
    typicalWeightG: 1200,
    newPriceCents: [500, 4500],
  },
  {
    id: '4009',
    names:
      'Garden & Outdoor|Garten & Terrasse|Jardin et terrasse|Giardino ed esterni|Jardín y terraza|Tuin & terras|Ogród i taras|Trädgård & uteplats',
    nouns:
      'Garden Item|Gartenartikel|Article de jardin|Articolo da giardino|Artículo de jardín|Tuinartikel|Artykuł ogrodowy|Trädgårdsartikel',
    keywords:
      'garden, flower pot, plant pot, planter, watering can, lawn mower, hose*, bird house, garten, blumentopf, gießkanne, rasenmäher, jardin, pot de fleurs, arrosoir, giardino, vaso*, annaffiatoio, jardín, maceta, regadera, tuin, bloempot, gieter, ogród, doniczka, konewka, trädgård, kruka, vattenkanna',
    recommended: ['type', 'material', 'colour', 'brand'],
    typicalWeightG: 2000,
    newPriceCents: [900, 9000],
  },
  {
    id: '4010',
    names: 'Tools|Werkzeuge|Outils|Utensili e attrezzi|Herramientas|Gereedschap|Narzędzia|Verktyg',
    nouns: 'Tool|Werkzeug|Outil|Attrezzo|Herramienta|Gereedschap|Narzędzie|Verktyg',
    keywords:
      'tool, tools, drill, cordless drill, hammer, screwdriver, saw*, wrench, spanner, pliers, sander, toolbox, multimeter, werkzeug, bohrmaschine, akkuschrauber, schraubendreher, säge, zange, outil, perceuse, marteau, tournevis, scie, attrezzo, trapano, martello, cacciavite, herramienta, taladro, martillo, destornillador, gereedschap, boormachine, hamer, schroevendraaier, zaag, narzędzie, wiertarka, młotek, śrubokręt, verktyg, borrmaskin, hammare, skruvmejsel, såg',
    recommended: ['brand', 'model', 'type'],
    typicalWeightG: 2000,
    newPriceCents: [1500, 18000],
  },
  {
    id: '4011',
    names: 'Furniture|Möbel|Meubles|Mobili|Muebles|Meubels|Meble|Möbler',
    nouns: 'Furniture|Möbelstück|Meuble|Mobile d’arredo|Mueble|Meubel|Mebel|Möbel',
    keywords:
      'chair, armchair, stool, table*, shelf, bookcase, cabinet, desk*, drawer*, sofa, stuhl, sessel, hocker, tisch, regal, schrank, chaise, fauteuil, tabouret, étagère, armoire, sedia, poltrona, tavolo, scaffale, silla, sillón, mesa, estantería, stoel, tafel, kast, krzesło, fotel, stół, półka, szafka, stol, fåtölj, bord*, hylla, skåp',
    recommended: ['brand', 'type', 'material', 'colour'],
    typicalWeightG: 9000,
    newPriceCents: [4000, 35000],
  },
  {
    id: '4012',
    names:
      'Home Textiles|Heimtextilien|Linge de maison|Tessili per la casa|Textiles para el hogar|Huistextiel|Tekstylia domowe|Hemtextil',
    nouns:
      'Home Textile|Heimtextil|Linge de maison|Tessile per la casa|Textil para el hogar|Huistextiel|Tekstylia|Hemtextil',
    keywords:
      'blanket, cushion, pillow, curtain, curtains, bed linen, duvet, towel, rug, carpet, decke*, kissen, vorhang, bettwäsche, handtuch, teppich, couverture*, coussin, rideau, serviette*, tapis, coperta, cuscino, tenda, asciugamano, tappeto, manta, cojín, cortina, toalla, alfombra, deken, kussen, gordijn, handdoek, tapijt, koc, poduszka, zasłona, ręcznik, dywan, filt, kudde, gardin, handduk, matta',
    recommended: ['type', 'material', 'colour', 'size', 'brand'],
    typicalWeightG: 1200,
    newPriceCents: [1200, 9000],
  },
]);
