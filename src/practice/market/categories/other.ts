import { parseCategories } from '../category.ts';

export const other = parseCategories('other', [
  {
    id: '7001',
    names:
      'Pens & Writing|Stifte & Schreibgeräte|Stylos et écriture|Penne e scrittura|Bolígrafos y escritura|Pennen & schrijfwaren|Długopisy i pióra|Pennor & skrivdon',
    nouns: 'Pen|Stift|Stylo|Penna|Bolígrafo|Pen|Pióro|Penna',
    keywords:
      'pen, pens, fountain pen, ballpoint, ballpoint pen, pencil*, marker*, füller, füllfederhalter, kugelschreiber, bleistift*, stylo, stylo plume, crayon*, penna, stilografica, bolígrafo, pluma, lápiz*, vulpen, balpen, potlood, długopis, pióro, ołówek, bläckpenna, reservoarpenna, pen case, pencil case',
    recommended: ['brand', 'type', 'colour', 'material'],
    needsWeight: false,
    typicalWeightG: 120,
    newPriceCents: [500, 9000],
  },
  {
    id: '7002',
    names:
      'Office & Stationery|Büro & Papeterie|Bureau et papeterie|Ufficio e cancelleria|Oficina y papelería|Kantoor & papier|Biuro i papiernictwo|Kontor & papper',
    nouns: 'Stationery|Papeterie|Papeterie|Cancelleria|Papelería|Kantoorartikel|Artykuł papierniczy|Kontorsvara',
    keywords:
      'notebook*, stationery, stapler, calculator, folder, envelope, calendar, diary*, notizbuch, taschenrechner, locher, ordner, kalender, carnet, agrafeuse, calculatrice, quaderno, calcolatrice, cuaderno, calculadora, notitieboek, rekenmachine, notes*, kalkulator, zeszyt, anteckningsbok, miniräknare, index cards, paper*',
    recommended: ['brand', 'type', 'colour'],
    typicalWeightG: 500,
    newPriceCents: [400, 4000],
  },
  {
    id: '8001',
    names:
      'Health & Beauty|Beauty & Gesundheit|Beauté et santé|Bellezza e salute|Belleza y salud|Beauty & gezondheid|Zdrowie i uroda|Skönhet & hälsa',
    nouns:
      'Beauty Product|Beautyprodukt|Produit de beauté|Prodotto di bellezza|Producto de belleza|Beautyproduct|Kosmetyk|Skönhetsprodukt',
    keywords:
      'perfume, eau de toilette, eau de parfum, shampoo, lipstick, cream*, lotion, makeup, make-up, soap, toothpaste, hair dryer, parfüm, seife, creme, lippenstift, parfum, savon, crème*, rouge à lèvres, profumo, sapone, rossetto, jabón, champú, pintalabios, zeep, perfumy, mydło, szminka, parfym, tvål, läppstift, skin care, moisturizer, sunscreen',
    conditions: 'newOnly',
    recommended: ['brand', 'type', 'volume'],
    typicalWeightG: 300,
    newPriceCents: [600, 9000],
  },
  {
    id: '8002',
    names:
      'Car & Motorcycle Parts|Auto- & Motorradteile|Pièces auto et moto|Ricambi auto e moto|Recambios de coche y moto|Auto- & motoronderdelen|Części samochodowe i motocyklowe|Bil- & MC-delar',
    nouns: 'Vehicle Part|Fahrzeugteil|Pièce auto|Ricambio|Recambio|Onderdeel|Część|Fordonsdel',
    keywords:
      'car part, brake pads, headlight, alloy wheel, tyre, tire*, spark plug, motor oil, autoteil, bremsbeläge, scheinwerfer, felge, reifen, zündkerze, pièce auto, phare*, pneu, plaquettes, ricambio, pneumatico, faro*, recambio, neumático, remblokken, autoband, opona, część samochodowa, bildel, däck',
    recommended: ['brand', 'model', 'type'],
    typicalWeightG: 3000,
    newPriceCents: [1500, 20000],
  },
  {
    id: '8003',
    names: 'Baby & Child|Baby & Kind|Bébé et enfant|Bambini|Bebé y niño|Baby & kind|Dla dzieci|Barn & baby',
    nouns:
      'Baby Item|Babyartikel|Article pour bébé|Articolo per bambini|Artículo de bebé|Babyartikel|Artykuł dziecięcy|Babyartikel',
    keywords:
      'baby*, stroller, pram, pushchair, car seat, baby bottle, kinderwagen, babyflasche, kindersitz, poussette, biberon, passeggino, seggiolino, cochecito, buggy, wózek, fotelik, barnvagn, nappflaska, bilbarnstol',
    recommended: ['brand', 'type', 'colour', 'age'],
    typicalWeightG: 3000,
    newPriceCents: [1500, 20000],
  },
  {
    id: '9999',
    names: 'Everything Else|Sonstiges|Autres|Altro|Otros|Overige|Pozostałe|Övrigt',
    nouns: 'Item|Artikel|Article|Articolo|Artículo|Artikel|Przedmiot|Föremål',
    keywords: '',
    recommended: ['brand', 'type', 'colour'],
    typicalWeightG: 800,
    newPriceCents: [1000, 4000],
  },
]);
