import { parseKeywords, type Category } from '../category.ts';
import { parseLocalisedTexts } from '../languages.ts';

export const fashion: readonly Category[] = [
  {
    id: '3001',
    group: 'fashion',
    names: parseLocalisedTexts(
      'Women’s Shoes|Damenschuhe|Chaussures femme|Scarpe donna|Zapatos de mujer|Damesschoenen|Buty damskie|Damskor',
    ),
    nouns: parseLocalisedTexts(
      'Women’s Shoes|Damenschuhe|Chaussures femme|Scarpe donna|Zapatos de mujer|Damesschoenen|Buty damskie|Damskor',
    ),
    keywords: parseKeywords(
      'women’s shoes, womens shoes, ladies shoes, heels, high heels, pumps*, ballerinas, damenschuhe, chaussures femme, escarpins, scarpe donna, zapatos de mujer, damesschoenen, buty damskie, damskor',
    ),
    conditions: 'worn',
    required: ['brand', 'size'],
    recommended: ['colour', 'type', 'material'],
    needsWeight: true,
    typicalWeightG: 900,
    newPriceCents: [3500, 14000],
  },
  {
    id: '3002',
    group: 'fashion',
    names: parseLocalisedTexts(
      'Men’s & Unisex Shoes|Herren- & Unisexschuhe|Chaussures homme et mixtes|Scarpe uomo e unisex|Zapatos de hombre y unisex|Heren- & unisexschoenen|Buty męskie i unisex|Herr- & unisexskor',
    ),
    nouns: parseLocalisedTexts('Shoes|Schuhe|Chaussures|Scarpe|Zapatos|Schoenen|Buty|Skor'),
    keywords: parseKeywords(
      'shoes, shoe, sneakers, sneaker, trainers*, boots, boot*, loafers, sandals, running shoes, men’s shoes, mens shoes, herrenschuhe, schuhe, stiefel, turnschuhe, herrenschuhe, chaussures, baskets*, bottes, scarpe, stivali, zapatos, zapatillas, botas, schoenen, laarzen, buty, skor, stövlar',
    ),
    conditions: 'worn',
    required: ['brand', 'size'],
    recommended: ['colour', 'type', 'material'],
    needsWeight: true,
    typicalWeightG: 1100,
    newPriceCents: [3500, 16000],
  },
  {
    id: '3003',
    group: 'fashion',
    names: parseLocalisedTexts(
      'Women’s Clothing|Damenmode|Vêtements femme|Abbigliamento donna|Ropa de mujer|Dameskleding|Odzież damska|Damkläder',
    ),
    nouns: parseLocalisedTexts(
      'Women’s Clothing|Damenbekleidung|Vêtement femme|Capo donna|Prenda de mujer|Dameskleding|Odzież damska|Damplagg',
    ),
    keywords: parseKeywords(
      'dress, skirt, blouse, women’s coat, cardigan*, leggings, kleid, rock*, bluse, robe, jupe, vestito, gonna, vestido, falda, blusa, jurk, sukienka, spódnica, klänning, kjol',
    ),
    conditions: 'worn',
    required: ['brand', 'size'],
    recommended: ['colour', 'type', 'material'],
    needsWeight: true,
    typicalWeightG: 400,
    newPriceCents: [2000, 11000],
  },
  {
    id: '3004',
    group: 'fashion',
    names: parseLocalisedTexts(
      'Men’s & Unisex Clothing|Herren- & Unisexmode|Vêtements homme et mixtes|Abbigliamento uomo e unisex|Ropa de hombre y unisex|Heren- & unisexkleding|Odzież męska i unisex|Herr- & unisexkläder',
    ),
    nouns: parseLocalisedTexts('Clothing|Bekleidung|Vêtement|Capo d’abbigliamento|Prenda|Kleding|Odzież|Plagg'),
    keywords: parseKeywords(
      'jacket, coat, shirt, t-shirt, tshirt, jeans, trousers, pants*, sweater, jumper, hoodie, suit*, tie*, jacke, mantel, hemd, hose, pullover, anzug, veste, manteau, chemise, pantalon, giacca, cappotto, camicia, pantaloni, maglione, chaqueta, abrigo, camisa, pantalones, jersey*, jas, overhemd, broek, trui, kurtka, płaszcz, koszula, spodnie, jacka, rock*, skjorta, byxor, tröja',
    ),
    conditions: 'worn',
    required: ['brand', 'size'],
    recommended: ['colour', 'type', 'material'],
    needsWeight: true,
    typicalWeightG: 500,
    newPriceCents: [2000, 12000],
  },
  {
    id: '3005',
    group: 'fashion',
    names: parseLocalisedTexts('Bags & Handbags|Taschen & Handtaschen|Sacs|Borse|Bolsos|Tassen|Torby i torebki|Väskor'),
    nouns: parseLocalisedTexts('Bag|Tasche|Sac|Borsa|Bolso|Tas|Torba|Väska'),
    keywords: parseKeywords(
      'bag, handbag, backpack, rucksack, suitcase, wallet, purse, tote, messenger bag, tasche, handtasche, koffer*, geldbörse, sac, sac à main, sac à dos, portefeuille, borsa, zaino, portafoglio, bolso, mochila, cartera, tas, handtas, rugzak, portemonnee, torba, torebka, plecak, portfel, väska, handväska, ryggsäck, plånbok',
    ),
    conditions: 'worn',
    required: ['brand'],
    recommended: ['colour', 'type', 'material'],
    needsWeight: true,
    typicalWeightG: 800,
    newPriceCents: [3000, 18000],
  },
  {
    id: '3006',
    group: 'fashion',
    names: parseLocalisedTexts('Watches|Armbanduhren|Montres|Orologi|Relojes|Horloges|Zegarki|Armbandsur'),
    nouns: parseLocalisedTexts('Watch|Armbanduhr|Montre|Orologio|Reloj|Horloge|Zegarek|Armbandsur'),
    keywords: parseKeywords(
      'watch*, wristwatch, chronograph, smartwatch, automatic watch, quartz, swiss made, water resistant*, armbanduhr, uhr, montre, orologio, reloj, horloge, zegarek, armbandsur, klocka',
    ),
    conditions: 'goods',
    required: ['brand'],
    recommended: ['model', 'type', 'colour', 'material'],
    needsWeight: true,
    typicalWeightG: 250,
    newPriceCents: [4000, 45000],
  },
  {
    id: '3007',
    group: 'fashion',
    names: parseLocalisedTexts('Jewellery|Schmuck|Bijoux|Gioielli|Joyería|Sieraden|Biżuteria|Smycken'),
    nouns: parseLocalisedTexts('Jewellery|Schmuck|Bijou|Gioiello|Joya|Sieraad|Biżuteria|Smycke'),
    keywords: parseKeywords(
      'jewellery, jewelry, necklace, bracelet, earrings, ring*, brooch, pendant, sterling silver, 925, 14k, 18k, schmuck, halskette, armband*, ohrringe, bijoux, collier, boucles d’oreilles, gioielli, collana, bracciale, orecchini, joyas, collar*, pulsera, pendientes, sieraden, ketting, oorbellen, biżuteria, naszyjnik, kolczyki, smycke, halsband, örhängen',
    ),
    conditions: 'worn',
    required: [],
    recommended: ['material', 'type', 'colour', 'brand'],
    needsWeight: false,
    typicalWeightG: 80,
    newPriceCents: [1500, 20000],
  },
  {
    id: '3008',
    group: 'fashion',
    names: parseLocalisedTexts(
      'Glasses & Sunglasses|Brillen & Sonnenbrillen|Lunettes|Occhiali|Gafas|Brillen|Okulary|Glasögon',
    ),
    nouns: parseLocalisedTexts(
      'Sunglasses|Sonnenbrille|Lunettes de soleil|Occhiali da sole|Gafas de sol|Zonnebril|Okulary przeciwsłoneczne|Solglasögon',
    ),
    keywords: parseKeywords(
      'sunglasses, glasses*, eyeglasses, sonnenbrille, lunettes, occhiali, gafas, zonnebril, okulary, solglasögon, polarized, polarised',
    ),
    conditions: 'worn',
    required: ['brand'],
    recommended: ['model', 'colour'],
    needsWeight: false,
    typicalWeightG: 120,
    newPriceCents: [2500, 15000],
  },
];
