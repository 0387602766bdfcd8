import { parseCategories } from '../category.ts';

export const fashion = parseCategories('fashion', [
  {
    id: '3001',
    names:
      'Women’s Shoes|Damenschuhe|Chaussures femme|Scarpe donna|Zapatos de mujer|Damesschoenen|Buty damskie|Damskor',
    nouns:
      'Women’s Shoes|Damenschuhe|Chaussures femme|Scarpe donna|Zapatos de mujer|Damesschoenen|Buty damskie|Damskor',
    keywords:
      'women’s shoes, womens shoes, ladies shoes, heels, high heels, pumps*, ballerinas, damenschuhe, chaussures femme, escarpins, scarpe donna, zapatos de mujer, damesschoenen, buty damskie, damskor',
    conditions: 'worn',
    required: ['brand', 'size'],
    recommended: ['colour', 'type', 'material'],
    typicalWeightG: 900,
    newPriceCents: [3500, 14000],
  },
  {
    id: '3002',
    names:
      'Men’s & Unisex Shoes|Herren- & Unisexschuhe|Chaussures homme et mixtes|Scarpe uomo e unisex|Zapatos de hombre y unisex|Heren- & unisexschoenen|Buty męskie i unisex|Herr- & unisexskor',
    nouns: 'Shoes|Schuhe|Chaussures|Scarpe|Zapatos|Schoenen|Buty|Skor',
    keywords:
      'shoes, shoe, sneakers, sneaker, trainers*, boots, boot*, loafers, sandals, running shoes, men’s shoes, mens shoes, herrenschuhe, schuhe, stiefel, turnschuhe, herrenschuhe, chaussures, baskets*, bottes, scarpe, stivali, zapatos, zapatillas, botas, schoenen, laarzen, buty, skor, stövlar',
    conditions: 'worn',
    required: ['brand', 'size'],
    recommended: ['colour', 'type', 'material'],
    typicalWeightG: 1100,
    newPriceCents: [3500, 16000],
  },
  {
    id: '3003',
    names:
      'Women’s Clothing|Damenmode|Vêtements femme|Abbigliamento donna|Ropa de mujer|Dameskleding|Odzież damska|Damkläder',
    nouns:
      'Women’s Clothing|Damenbekleidung|Vêtement femme|Capo donna|Prenda de mujer|Dameskleding|Odzież damska|Damplagg',
    keywords:
      'dress, skirt, blouse, women’s coat, cardigan*, leggings, kleid, rock*, bluse, robe, jupe, vestito, gonna, vestido, falda, blusa, jurk, sukienka, spódnica, klänning, kjol',
    conditions: 'worn',
    required: ['brand', 'size'],
    recommended: ['colour', 'type', 'material'],
    typicalWeightG: 400,
    newPriceCents: [2000, 11000],
  },
  {
    id: '3004',
    names:
      'Men’s & Unisex Clothing|Herren- & Unisexmode|Vêtements homme et mixtes|Abbigliamento uomo e unisex|Ropa de hombre y unisex|Heren- & unisexkleding|Odzież męska i unisex|Herr- & unisexkläder',
    nouns: 'Clothing|Bekleidung|Vêtement|Capo d’abbigliamento|Prenda|Kleding|Odzież|Plagg',
    keywords:
      'jacket, coat, shirt, t-shirt, tshirt, jeans, trousers, pants*, sweater, jumper, hoodie, suit*, tie*, jacke, mantel, hemd, hose, pullover, anzug, veste, manteau, chemise, pantalon, giacca, cappotto, camicia, pantaloni, maglione, chaqueta, abrigo, camisa, pantalones, jersey*, jas, overhemd, broek, trui, kurtka, płaszcz, koszula, spodnie, jacka, rock*, skjorta, byxor, tröja',
    conditions: 'worn',
    required: ['brand', 'size'],
    recommended: ['colour', 'type', 'material'],
    typicalWeightG: 500,
    newPriceCents: [2000, 12000],
  },
  {
    id: '3005',
    names: 'Bags & Handbags|Taschen & Handtaschen|Sacs|Borse|Bolsos|Tassen|Torby i torebki|Väskor',
    nouns: 'Bag|Tasche|Sac|Borsa|Bolso|Tas|Torba|Väska',
    keywords:
      'bag, handbag, backpack, rucksack, suitcase, wallet, purse, tote, messenger bag, tasche, handtasche, koffer*, geldbörse, sac, sac à main, sac à dos, portefeuille, borsa, zaino, portafoglio, bolso, mochila, cartera, tas, handtas, rugzak, portemonnee, torba, torebka, plecak, portfel, väska, handväska, ryggsäck, plånbok',
    conditions: 'worn',
    required: ['brand'],
    recommended: ['colour', 'type', 'material'],
    typicalWeightG: 800,
    newPriceCents: [3000, 18000],
  },
  {
    id: '3006',
    names: 'Watches|Armbanduhren|Montres|Orologi|Relojes|Horloges|Zegarki|Armbandsur',
    nouns: 'Watch|Armbanduhr|Montre|Orologio|Reloj|Horloge|Zegarek|Armbandsur',
    keywords:
      'watch*, wristwatch, chronograph, smartwatch, automatic watch, quartz, swiss made, water resistant*, armbanduhr, uhr, montre, orologio, reloj, horloge, zegarek, armbandsur, klocka',
    required: ['brand'],
    recommended: ['model', 'type', 'colour', 'material'],
    typicalWeightG: 250,
    newPriceCents: [4000, 45000],
  },
  {
    id: '3007',
    names: 'Jewellery|Schmuck|Bijoux|Gioielli|Joyería|Sieraden|Biżuteria|Smycken',
    nouns: 'Jewellery|Schmuck|Bijou|Gioiello|Joya|Sieraad|Biżuteria|Smycke',
    keywords:
      'jewellery, jewelry, necklace, bracelet, earrings, ring*, brooch, pendant, sterling silver, 925, 14k, 18k, schmuck, halskette, armband*, ohrringe, bijoux, collier, boucles d’oreilles, gioielli, collana, bracciale, orecchini, joyas, collar*, pulsera, pendientes, sieraden, ketting, oorbellen, biżuteria, naszyjnik, kolczyki, smycke, halsband, örhängen',
    conditions: 'worn',
    recommended: ['material', 'type', 'colour', 'brand'],
    needsWeight: false,
    typicalWeightG: 80,
    newPriceCents: [1500, 20000],
  },
  {
    id: '3008',
    names: 'Glasses & Sunglasses|Brillen & Sonnenbrillen|Lunettes|Occhiali|Gafas|Brillen|Okulary|Glasögon',
    nouns:
      'Sunglasses|Sonnenbrille|Lunettes de soleil|Occhiali da sole|Gafas de sol|Zonnebril|Okulary przeciwsłoneczne|Solglasögon',
    keywords:
      'sunglasses, glasses*, eyeglasses, sonnenbrille, lunettes, occhiali, gafas, zonnebril, okulary, solglasögon, polarized, polarised',
    conditions: 'worn',
    required: ['brand'],
    recommended: ['model', 'colour'],
    needsWeight: false,
    typicalWeightG: 120,
    newPriceCents: [2500, 15000],
  },
]);
