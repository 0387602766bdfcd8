import { createBuiltInWriter } from '../../../src/practice/writer/builtInWriter.ts';
import * as d from './drawnItems.ts';
const f = '/tmp/draw';
const w = createBuiltInWriter({ workerUrl: new URL('../../../src/practice/writer/worker.ts', import.meta.url) });
const go = async (site: string, language: string, words: string, ...paths: string[]) => {
  const t = performance.now();
  const r = await w.write({
    photos: paths.map((path) => ({ path })),
    words,
    quantity: 1,
    marketplaceId: site,
    language,
  });
  if (r.ok) {
    const { description, ...x } = r;
    console.log(
      x.title,
      '|',
      x.categoryName,
      '|',
      x.condition,
      x.conditionDescription,
      '|',
      x.suggestedPriceCents,
      JSON.stringify(x.itemSpecifics),
      '\n   unknown:',
      x.unknown.map((u) => u.field + (u.blocks ? '!' : '')).join(),
      /Printed.*?<\/p>/.exec(description)?.[0],
      Math.round(performance.now() - t) + 'ms',
    );
  }
};
const W = '#fff';
await go(
  'MKT_US',
  'en-US',
  '',
  await d.drawSide(f, 'game', {
    item: '#7a2f1d',
    lines: [
      { text: 'CASTLES', size: 150, y: 380, fill: '#ffe9a8' },
      { text: 'of the North', size: 90, y: 500, fill: '#ffe9a8' },
      { text: 'The strategy board game', size: 54, y: 640, fill: W, weight: 'normal' },
      { text: '2-4 players   Ages 10+   60 min', size: 48, y: 1200, fill: W },
      { text: 'Lindqvist Games', size: 44, y: 1310, fill: W },
    ],
  }),
  await d.drawBack(f, 'gameb', { bcid: 'ean13', text: '4006381333931' }, [
    { text: 'Contents: 1 board, 48 tiles, 60 cards', size: 44, y: 380, weight: 'normal' },
    { text: 'Build, trade and defend your keep!', size: 44, y: 460, weight: 'normal' },
  ]),
);
await go(
  'MKT_US',
  'en-US',
  '',
  await d.drawSide(f, 'puz', {
    item: '#2d6a4f',
    lines: [
      { text: 'Alpine Meadow', size: 110, y: 380, fill: W },
      { text: 'Jigsaw Puzzle', size: 70, y: 500, fill: W },
      { text: '1000 pieces', size: 80, y: 1200, fill: W },
    ],
  }),
);
await go(
  'MKT_US',
  'en-US',
  '',
  await d.drawSide(f, 'cam', {
    item: '#f4f4f4',
    lines: [
      { text: 'Canon', size: 170, y: 380, fill: '#c00' },
      { text: 'PowerShot SX740', size: 80, y: 560 },
      { text: 'Digital Camera 20.3 Megapixels 40x Zoom', size: 44, y: 700, weight: 'normal' },
      { text: '4K UHD  Wi-Fi  Bluetooth', size: 44, y: 1200, weight: 'normal' },
    ],
  }),
);
await go(
  'MKT_US',
  'en-US',
  '',
  await d.drawSide(f, 'bk2', {
    item: '#f6e7c1',
    lines: [
      { text: 'MARGARET HOLLOWAY', size: 64, y: 280 },
      { text: 'The Baker of', size: 110, y: 600 },
      { text: 'Rue Verte', size: 110, y: 740 },
      { text: 'International bestseller', size: 44, y: 1000, weight: 'normal' },
      { text: '“A warm, funny, wonderful story”', size: 40, y: 1100, weight: 'normal' },
    ],
  }),
  await d.bookBack(f),
);
await go(
  'MKT_US',
  'en-US',
  '',
  await d.drawSide(f, 'bk3', {
    item: '#8fb8de',
    lines: [
      { text: 'COASTAL WALKS', size: 110, y: 400 },
      { text: '50 routes along the northern shore', size: 48, y: 520, weight: 'normal' },
      { text: 'by Tom Ashdown', size: 60, y: 900, weight: 'normal' },
      { text: 'SECOND EDITION', size: 44, y: 1250 },
    ],
  }),
  await d.bookBack(f),
);
await go(
  'MKT_US',
  'en-US',
  '',
  await d.drawSide(f, 'tea', {
    item: '#3a5a40',
    lines: [
      { text: 'Fernwood', size: 130, y: 380, fill: W },
      { text: 'Electric Kettle', size: 80, y: 520, fill: W },
      { text: '1.7 L   2200 W   Stainless Steel', size: 50, y: 1200, fill: W },
      { text: 'Model FK-17', size: 50, y: 1290, fill: W },
    ],
  }),
);
await go(
  'MKT_US',
  'en-US',
  'Used twice, works perfectly',
  await d.drawSide(f, 'drill', {
    item: '#ffb703',
    lines: [
      { text: 'BOSCH', size: 170, y: 380 },
      { text: 'Cordless Drill GSR 12V-15', size: 66, y: 540 },
      { text: 'Professional', size: 60, y: 640 },
    ],
  }),
);
await go(
  'MKT_US',
  'en-US',
  '',
  await d.drawSide(f, 'mug', {
    item: '#fefefe',
    ground: '#8a7f74',
    lines: [
      { text: 'WORLD’S', size: 130, y: 600 },
      { text: 'BEST DAD', size: 130, y: 760 },
    ],
  }),
);
await go(
  'MKT_DE',
  'de-DE',
  'Kaffeebecher, nie benutzt, 300 ml',
  await d.drawSide(f, 'mug', {
    item: '#fefefe',
    ground: '#8a7f74',
    lines: [
      { text: 'WORLD’S', size: 130, y: 600 },
      { text: 'BEST DAD', size: 130, y: 760 },
    ],
  }),
);
await go('MKT_US', 'en-US', "Red Converse high top sneakers, men's US 9, lightly worn", await d.plainThing(f));
await go('MKT_US', 'en-US', 'paperback novel', await d.plainThing(f));
await go('MKT_US', 'en-US', 'Vintage brass door knocker in the shape of a fox', await d.plainThing(f));
await go('MKT_IT', 'it-IT', 'Scarpe da donna rosse, taglia 38, usate una volta', await d.plainThing(f));
await go(
  'MKT_US',
  'en-US',
  'A framed watercolor of a harbor. Signed. Glass is fine, small scratch on the frame.',
  await d.plainThing(f),
);
await go('MKT_US', 'en-US', 'iPhone 12 128GB blue unlocked, screen cracked', await d.plainThing(f));
await go('MKT_US', 'en-US', 'Nintendo Switch game: Zelda Breath of the Wild', await d.plainThing(f));
await w.close();
