import { parseCategories } from '../category.ts';

export const electronics = parseCategories('electronics', [
  {
    id: '2001',
    names: 'Headphones|Kopfhörer|Casques et écouteurs|Cuffie e auricolari|Auriculares|Koptelefoons|Słuchawki|Hörlurar',
    nouns: 'Headphones|Kopfhörer|Casque|Cuffie|Auriculares|Koptelefoon|Słuchawki|Hörlurar',
    keywords:
      'headphones, headphone, earphones, earbuds, headset, over-ear*, over ear*, on-ear*, in-ear*, noise cancelling*, noise canceling*, anc*, kopfhörer, ohrhörer, casque, écouteurs, cuffie, auricolari, auriculares, koptelefoon, oordopjes, słuchawki, hörlurar, bluetooth*, wireless*',
    required: ['brand'],
    recommended: ['model', 'type', 'colour', 'connectivity', 'features'],
    typicalWeightG: 350,
    newPriceCents: [3000, 32000],
  },
  {
    id: '2002',
    names:
      'Speakers & Audio|Lautsprecher & Audio|Enceintes et audio|Altoparlanti e audio|Altavoces y audio|Luidsprekers & audio|Głośniki i audio|Högtalare & ljud',
    nouns: 'Speaker|Lautsprecher|Enceinte|Altoparlante|Altavoz|Luidspreker|Głośnik|Högtalare',
    keywords:
      'speaker, speakers, loudspeaker, soundbar, amplifier, turntable, radio, receiver*, subwoofer, walkman, stereo system, cassette player, lautsprecher, verstärker, plattenspieler, enceinte, haut-parleur, amplificateur, altoparlante, cassa*, altavoz, luidspreker, versterker, głośnik, wzmacniacz, högtalare, förstärkare, bluetooth*, wireless*',
    required: ['brand'],
    recommended: ['model', 'type', 'colour', 'connectivity'],
    typicalWeightG: 1500,
    newPriceCents: [3000, 30000],
  },
  {
    id: '2003',
    names:
      'Digital Cameras|Digitalkameras|Appareils photo numériques|Fotocamere digitali|Cámaras digitales|Digitale camera’s|Aparaty cyfrowe|Digitalkameror',
    nouns: 'Camera|Kamera|Appareil photo|Fotocamera|Cámara|Camera|Aparat|Kamera',
    keywords:
      'camera, cameras, dslr, mirrorless, digital camera, megapixels*, megapixel*, camcorder, polaroid, instant camera, kamera, fotoapparat, appareil photo, fotocamera, macchina fotografica, cámara, fototoestel, aparat, aparat fotograficzny, systemkamera, zoom*, eos, film camera, 35mm camera',
    required: ['brand'],
    recommended: ['model', 'type', 'colour'],
    typicalWeightG: 700,
    newPriceCents: [9000, 95000],
  },
  {
    id: '2004',
    names: 'Camera Lenses|Objektive|Objectifs|Obiettivi|Objetivos|Cameralenzen|Obiektywy|Objektiv',
    nouns: 'Camera Lens|Objektiv|Objectif|Obiettivo|Objetivo|Cameralens|Obiektyw|Objektiv',
    keywords:
      'lens*, camera lens, zoom lens, prime lens, objektiv, objectif, obiettivo, objetivo, cameralens, obiektyw, telephoto, 50mm, 35mm f, f/1.8, f/2.8, 1:1.8, 1:2.8',
    required: ['brand'],
    recommended: ['model', 'type'],
    typicalWeightG: 500,
    newPriceCents: [8000, 70000],
  },
  {
    id: '2005',
    names: 'Laptops|Notebooks|Ordinateurs portables|Portatili|Portátiles|Laptops|Laptopy|Bärbara datorer',
    nouns: 'Laptop|Notebook|Ordinateur portable|Portatile|Portátil|Laptop|Laptop|Bärbar dator',
    keywords:
      'laptop, notebook computer, macbook, thinkpad, chromebook, ultrabook, ordinateur portable, portatile, portátil, bärbar dator, core i5, core i7, ryzen*, ssd*',
    required: ['brand'],
    recommended: ['model', 'storage', 'colour'],
    typicalWeightG: 2600,
    newPriceCents: [25000, 140000],
  },
  {
    id: '2006',
    names:
      'Tablets & eReaders|Tablets & eBook-Reader|Tablettes et liseuses|Tablet ed eReader|Tablets y libros electrónicos|Tablets & e-readers|Tablety i czytniki|Surfplattor',
    nouns: 'Tablet|Tablet|Tablette|Tablet|Tablet|Tablet|Tablet|Surfplatta',
    keywords: 'tablet, ipad, e-reader, ereader, kindle, tablette, liseuse, surfplatta, galaxy tab',
    required: ['brand'],
    recommended: ['model', 'storage', 'colour'],
    typicalWeightG: 700,
    newPriceCents: [8000, 70000],
  },
  {
    id: '2007',
    names:
      'Mobile Phones|Handys & Smartphones|Téléphones mobiles|Cellulari e smartphone|Móviles y smartphones|Mobiele telefoons|Telefony komórkowe|Mobiltelefoner',
    nouns: 'Smartphone|Smartphone|Smartphone|Smartphone|Smartphone|Smartphone|Smartfon|Smartphone',
    keywords:
      'phone, smartphone, mobile phone, cell phone, iphone, android phone, handy, téléphone, cellulare, móvil, telefoon, telefon, mobiltelefon, galaxy s*, sim*, unlocked*',
    required: ['brand'],
    recommended: ['model', 'storage', 'colour'],
    typicalWeightG: 450,
    newPriceCents: [9000, 90000],
  },
  {
    id: '2008',
    names:
      'Video Game Consoles|Spielkonsolen|Consoles de jeux|Console|Consolas|Spelcomputers|Konsole do gier|Spelkonsoler',
    nouns: 'Game Console|Spielkonsole|Console de jeux|Console|Consola|Spelcomputer|Konsola|Spelkonsol',
    keywords:
      'console, game console, playstation, xbox, nintendo, nintendo switch, game boy, gameboy, wii, steam deck, controller*, spielkonsole, consola, spelcomputer, konsola, spelkonsol',
    required: ['brand'],
    recommended: ['model', 'storage', 'colour'],
    typicalWeightG: 3000,
    newPriceCents: [12000, 55000],
  },
  {
    id: '2009',
    names:
      'Computer Accessories|Computerzubehör|Accessoires informatiques|Accessori per computer|Accesorios de ordenador|Computeraccessoires|Akcesoria komputerowe|Datortillbehör',
    nouns:
      'Computer Accessory|Computerzubehör|Accessoire informatique|Accessorio per computer|Accesorio de ordenador|Computeraccessoire|Akcesorium komputerowe|Datortillbehör',
    keywords:
      'keyboard, mouse*, monitor, webcam, usb, usb-c, charger, adapter, router, hard drive, printer, cable*, power bank, tastatur, maus*, bildschirm, ladegerät, kabel*, clavier, souris, chargeur, tastiera, caricatore, teclado, ratón, cargador, toetsenbord, muis, oplader, klawiatura, ładowarka, tangentbord, laddare',
    recommended: ['brand', 'model', 'type', 'connectivity'],
    typicalWeightG: 500,
    newPriceCents: [1000, 9000],
  },
]);
