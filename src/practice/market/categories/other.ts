import { parseKeywords, type Category } from '../category.ts';
import { parseLocalisedTexts } from '../languages.ts';

export const other: readonly Category[] = [
  {
    id: '7001',
    group: 'other',
    names: parseLocalisedTexts(
      'Pens & Writing|Stifte & Schreibgeräte|Stylos et écriture|Penne e scrittura|Bolígrafos y escritura|Pennen & schrijfwaren|Długopisy i pióra|Pennor & skrivdon',
    ),
    nouns: parseLocalisedTexts('Pen|Stift|Stylo|Penna|Bolígrafo|Pen|Pióro|Penna'),
    keywords: parseKeywords(
      'pen, pens, fountain pen, ballpoint, ballpoint pen, pencil*, marker*, füller, füllfederhalter, kugelschreiber, bleistift*, stylo, stylo plume, crayon*, penna, stilografica, bolígrafo, pluma, lápiz*, vulpen, balpen, potlood, długopis, pióro, ołówek, bläckpenna, reservoarpenna, pen case, pencil case',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['brand', 'type', 'colour', 'material'],
    needsWeight: false,
    typicalWeightG: 120,
    newPriceCents: [500, 9000],
  },
  {
    id: '7002',
    group: 'other',
    names: parseLocalisedTexts(
      'Office & Stationery|Büro & Papeterie|Bureau et papeterie|Ufficio e cancelleria|Oficina y papelería|Kantoor & papier|Biuro i papiernictwo|Kontor & papper',
    ),
    nouns: parseLocalisedTexts(
      'Stationery|Papeterie|Papeterie|Cancelleria|Papelería|Kantoorartikel|Artykuł papierniczy|Kontorsvara',
    ),
    keywords: parseKeywords(
      'notebook*, stationery, stapler, calculator, folder, envelope, calendar, diary*, notizbuch, taschenrechner, locher, ordner, kalender, carnet, agrafeuse, calculatrice, quaderno, calcolatrice, cuaderno, calculadora, notitieboek, rekenmachine, notes*, kalkulator, zeszyt, anteckningsbok, miniräknare, index cards, paper*',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['brand', 'type', 'colour'],
    needsWeight: true,
    typicalWeightG: 500,
    newPriceCents: [400, 4000],
  },
  {
    id: '8001',
    group: 'other',
    names: parseLocalisedTexts(
      'Health & Beauty|Beauty & Gesundheit|Beauté et santé|Bellezza e salute|Belleza y salud|Beauty & gezondheid|Zdrowie i uroda|Skönhet & hälsa',
    ),
    nouns: parseLocalisedTexts(
      'Beauty Product|Beautyprodukt|Produit de beauté|Prodotto di bellezza|Producto de belleza|Beautyproduct|Kosmetyk|Skönhetsprodukt',
    ),
    keywords: parseKeywords(
      'perfume, eau de toilette, eau de parfum, shampoo, lipstick, cream*, lotion, makeup, make-up, soap, toothpaste, hair dryer, parfüm, seife, creme, lippenstift, parfum, savon, crème*, rouge à lèvres, profumo, sapone, rossetto, jabón, champú, pintalabios, zeep, perfumy, mydło, szminka, parfym, tvål, läppstift, skin care, moisturizer, sunscreen',
    ),
    conditions: 'newOnly',
    required: [],
    recommended: ['brand', 'type', 'volume'],
    needsWeight: true,
    typicalWeightG: 300,
    newPriceCents: [600, 9000],
  },
  {
    id: '8002',
    group: 'other',
    names: parseLocalisedTexts(
      'Car & Motorcycle Parts|Auto- & Motorradteile|Pièces auto et moto|Ricambi auto e moto|Recambios de coche y moto|Auto- & motoronderdelen|Części samochodowe i motocyklowe|Bil- & MC-delar',
    ),
    nouns: parseLocalisedTexts('Vehicle Part|Fahrzeugteil|Pièce auto|Ricambio|Recambio|Onderdeel|Część|Fordonsdel'),
    keywords: parseKeywords(
      'car part, brake pads, headlight, alloy wheel, tyre, tire*, spark plug, motor oil, autoteil, bremsbeläge, scheinwerfer, felge, reifen, zündkerze, pièce auto, phare*, pneu, plaquettes, ricambio, pneumatico, faro*, recambio, neumático, remblokken, autoband, opona, część samochodowa, bildel, däck',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['brand', 'model', 'type'],
    needsWeight: true,
    typicalWeightG: 3000,
    newPriceCents: [1500, 20000],
  },
  {
    id: '8003',
    group: 'other',
    names: parseLocalisedTexts(
      'Baby & Child|Baby & Kind|Bébé et enfant|Bambini|Bebé y niño|Baby & kind|Dla dzieci|Barn & baby',
    ),
    nouns: parseLocalisedTexts(
      'Baby Item|Babyartikel|Article pour bébé|Articolo per bambini|Artículo de bebé|Babyartikel|Artykuł dziecięcy|Babyartikel',
    ),
    keywords: parseKeywords(
      'baby*, stroller, pram, pushchair, car seat, baby bottle, kinderwagen, babyflasche, kindersitz, poussette, biberon, passeggino, seggiolino, cochecito, buggy, wózek, fotelik, barnvagn, nappflaska, bilbarnstol',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['brand', 'type', 'colour', 'age'],
    needsWeight: true,
    typicalWeightG: 3000,
    newPriceCents: [1500, 20000],
  },
  {
    id: '9999',
    group: 'other',
    names: parseLocalisedTexts('Everything Else|Sonstiges|Autres|Altro|Otros|Overige|Pozostałe|Övrigt'),
    nouns: parseLocalisedTexts('Item|Artikel|Article|Articolo|Artículo|Artikel|Przedmiot|Föremål'),
    keywords: parseKeywords(''),
    conditions: 'goods',
    required: [],
    recommended: ['brand', 'type', 'colour'],
    needsWeight: true,
    typicalWeightG: 800,
    newPriceCents: [1000, 4000],
  },
];
