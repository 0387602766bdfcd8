import { parseKeywords, type Category } from '../category.ts';
import { parseLocalisedTexts } from '../languages.ts';

export const electronics: readonly Category[] = [
  {
    id: '2001',
    group: 'electronics',
    names: parseLocalisedTexts(
      'Headphones|Kopfhörer|Casques et écouteurs|Cuffie e auricolari|Auriculares|Koptelefoons|Słuchawki|Hörlurar',
    ),
    nouns: parseLocalisedTexts('Headphones|Kopfhörer|Casque|Cuffie|Auriculares|Koptelefoon|Słuchawki|Hörlurar'),
    keywords: parseKeywords(
      'headphones, headphone, earphones, earbuds, headset, over-ear*, over ear*, on-ear*, in-ear*, noise cancelling*, noise canceling*, anc*, kopfhörer, ohrhörer, casque, écouteurs, cuffie, auricolari, auriculares, koptelefoon, oordopjes, słuchawki, hörlurar, bluetooth*, wireless*',
    ),
    conditions: 'goods',
    required: ['brand'],
    recommended: ['model', 'type', 'colour', 'connectivity', 'features'],
    needsWeight: true,
    typicalWeightG: 350,
    newPriceCents: [3000, 32000],
  },
  {
    id: '2002',
    group: 'electronics',
    names: parseLocalisedTexts(
      'Speakers & Audio|Lautsprecher & Audio|Enceintes et audio|Altoparlanti e audio|Altavoces y audio|Luidsprekers & audio|Głośniki i audio|Högtalare & ljud',
    ),
    nouns: parseLocalisedTexts('Speaker|Lautsprecher|Enceinte|Altoparlante|Altavoz|Luidspreker|Głośnik|Högtalare'),
    keywords: parseKeywords(
      'speaker, speakers, loudspeaker, soundbar, amplifier, turntable, radio, receiver*, subwoofer, walkman, stereo system, cassette player, lautsprecher, verstärker, plattenspieler, enceinte, haut-parleur, amplificateur, altoparlante, cassa*, altavoz, luidspreker, versterker, głośnik, wzmacniacz, högtalare, förstärkare, bluetooth*, wireless*',
    ),
    conditions: 'goods',
    required: ['brand'],
    recommended: ['model', 'type', 'colour', 'connectivity'],
    needsWeight: true,
    typicalWeightG: 1500,
    newPriceCents: [3000, 30000],
  },
  {
    id: '2003',
    group: 'electronics',
    names: parseLocalisedTexts(
      'Digital Cameras|Digitalkameras|Appareils photo numériques|Fotocamere digitali|Cámaras digitales|Digitale camera’s|Aparaty cyfrowe|Digitalkameror',
    ),
    nouns: parseLocalisedTexts('Camera|Kamera|Appareil photo|Fotocamera|Cámara|Camera|Aparat|Kamera'),
    keywords: parseKeywords(
      'camera, cameras, dslr, mirrorless, digital camera, megapixels*, megapixel*, camcorder, polaroid, instant camera, kamera, fotoapparat, appareil photo, fotocamera, macchina fotografica, cámara, fototoestel, aparat, aparat fotograficzny, systemkamera, zoom*, eos, film camera, 35mm camera',
    ),
    conditions: 'goods',
    required: ['brand'],
    recommended: ['model', 'type', 'colour'],
    needsWeight: true,
    typicalWeightG: 700,
    newPriceCents: [9000, 95000],
  },
  {
    id: '2004',
    group: 'electronics',
    names: parseLocalisedTexts('Camera Lenses|Objektive|Objectifs|Obiettivi|Objetivos|Cameralenzen|Obiektywy|Objektiv'),
    nouns: parseLocalisedTexts('Camera Lens|Objektiv|Objectif|Obiettivo|Objetivo|Cameralens|Obiektyw|Objektiv'),
    keywords: parseKeywords(
      'lens*, camera lens, zoom lens, prime lens, objektiv, objectif, obiettivo, objetivo, cameralens, obiektyw, telephoto, 50mm, 35mm f, f/1.8, f/2.8, 1:1.8, 1:2.8',
    ),
    conditions: 'goods',
    required: ['brand'],
    recommended: ['model', 'type'],
    needsWeight: true,
    typicalWeightG: 500,
    newPriceCents: [8000, 70000],
  },
  {
    id: '2005',
    group: 'electronics',
    names: parseLocalisedTexts(
      'Laptops|Notebooks|Ordinateurs portables|Portatili|Portátiles|Laptops|Laptopy|Bärbara datorer',
    ),
    nouns: parseLocalisedTexts('Laptop|Notebook|Ordinateur portable|Portatile|Portátil|Laptop|Laptop|Bärbar dator'),
    keywords: parseKeywords(
      'laptop, notebook computer, macbook, thinkpad, chromebook, ultrabook, ordinateur portable, portatile, portátil, bärbar dator, core i5, core i7, ryzen*, ssd*',
    ),
    conditions: 'goods',
    required: ['brand'],
    recommended: ['model', 'storage', 'colour'],
    needsWeight: true,
    typicalWeightG: 2600,
    newPriceCents: [25000, 140000],
  },
  {
    id: '2006',
    group: 'electronics',
    names: parseLocalisedTexts(
      'Tablets & eReaders|Tablets & eBook-Reader|Tablettes et liseuses|Tablet ed eReader|Tablets y libros electrónicos|Tablets & e-readers|Tablety i czytniki|Surfplattor',
    ),
    nouns: parseLocalisedTexts('Tablet|Tablet|Tablette|Tablet|Tablet|Tablet|Tablet|Surfplatta'),
    keywords: parseKeywords('tablet, ipad, e-reader, ereader, kindle, tablette, liseuse, surfplatta, galaxy tab'),
    conditions: 'goods',
    required: ['brand'],
    recommended: ['model', 'storage', 'colour'],
    needsWeight: true,
    typicalWeightG: 700,
    newPriceCents: [8000, 70000],
  },
  {
    id: '2007',
    group: 'electronics',
    names: parseLocalisedTexts(
      'Mobile Phones|Handys & Smartphones|Téléphones mobiles|Cellulari e smartphone|Móviles y smartphones|Mobiele telefoons|Telefony komórkowe|Mobiltelefoner',
    ),
    nouns: parseLocalisedTexts('Smartphone|Smartphone|Smartphone|Smartphone|Smartphone|Smartphone|Smartfon|Smartphone'),
    keywords: parseKeywords(
      'phone, smartphone, mobile phone, cell phone, iphone, android phone, handy, téléphone, cellulare, móvil, telefoon, telefon, mobiltelefon, galaxy s*, sim*, unlocked*',
    ),
    conditions: 'goods',
    required: ['brand'],
    recommended: ['model', 'storage', 'colour'],
    needsWeight: true,
    typicalWeightG: 450,
    newPriceCents: [9000, 90000],
  },
  {
    id: '2008',
    group: 'electronics',
    names: parseLocalisedTexts(
      'Video Game Consoles|Spielkonsolen|Consoles de jeux|Console|Consolas|Spelcomputers|Konsole do gier|Spelkonsoler',
    ),
    nouns: parseLocalisedTexts(
      'Game Console|Spielkonsole|Console de jeux|Console|Consola|Spelcomputer|Konsola|Spelkonsol',
    ),
    keywords: parseKeywords(
      'console, game console, playstation, xbox, nintendo, nintendo switch, game boy, gameboy, wii, steam deck, controller*, spielkonsole, consola, spelcomputer, konsola, spelkonsol',
    ),
    conditions: 'goods',
    required: ['brand'],
    recommended: ['model', 'storage', 'colour'],
    needsWeight: true,
    typicalWeightG: 3000,
    newPriceCents: [12000, 55000],
  },
  {
    id: '2009',
    group: 'electronics',
    names: parseLocalisedTexts(
      'Computer Accessories|Computerzubehör|Accessoires informatiques|Accessori per computer|Accesorios de ordenador|Computeraccessoires|Akcesoria komputerowe|Datortillbehör',
    ),
    nouns: parseLocalisedTexts(
      'Computer Accessory|Computerzubehör|Accessoire informatique|Accessorio per computer|Accesorio de ordenador|Computeraccessoire|Akcesorium komputerowe|Datortillbehör',
    ),
    keywords: parseKeywords(
      'keyboard, mouse*, monitor, webcam, usb, usb-c, charger, adapter, router, hard drive, printer, cable*, power bank, tastatur, maus*, bildschirm, ladegerät, kabel*, clavier, souris, chargeur, tastiera, caricatore, teclado, ratón, cargador, toetsenbord, muis, oplader, klawiatura, ładowarka, tangentbord, laddare',
    ),
    conditions: 'goods',
    required: [],
    recommended: ['brand', 'model', 'type', 'connectivity'],
    needsWeight: true,
    typicalWeightG: 500,
    newPriceCents: [1000, 9000],
  },
];
