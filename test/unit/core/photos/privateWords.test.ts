import { expect, test } from 'vitest';
import { splitPrivateWords } from '../../../../src/core/photos/privateWords.ts';

test.each([
  ['Harrow shirt 2 (bin A02, cost 3.50)', 'Harrow shirt 2', ['place bin A02', 'cost cost 3.50']],
  ['Jeans paid €4 box 12', 'Jeans', ['cost paid €4', 'place box 12']],
  ['Vase, Regal 3, EK 2,50 €', 'Vase', ['place Regal 3', 'cost EK 2,50 €']],
  ['Lampe étagère B7 payé 5€', 'Lampe', ['place étagère B7', 'cost payé 5€']],
  ['Maglione [scaffale C12] costo 7', 'Maglione', ['place scaffale C12', 'cost costo 7']],
  ['Camisa caja 4 pagado 3,20', 'Camisa', ['place caja 4', 'cost pagado 3,20']],
  ['Jas doos A1 betaald 12', 'Jas', ['place doos A1', 'cost betaald 12']],
  ['Kubek półka D3 koszt 8 zł', 'Kubek', ['place półka D3', 'cost koszt 8 zł']],
  ['Blue mug SKU: A04-3', 'Blue mug', ['sku SKU: A04-3']],
  ['Blue mug B12-7 chipped', 'Blue mug chipped', ['sku B12-7']],
  ['BIN A02 – red hat', 'red hat', ['place BIN A02']],
  ['bin A02', '', ['place bin A02']],
])('the private parts of “%s” are recognised', (name, words, parts) => {
  const split = splitPrivateWords(name);
  expect(split.words).toBe(words);
  expect(split.privateParts.map(({ kind, text }) => `${kind} ${text}`)).toEqual(parts);
});

test.each([
  'Lego box',
  'place mat',
  'shelf clock',
  'Playmobil box 4133',
  "Levi's 501 W32 L34 dark blue",
  'Box set of 3 DVDs',
  'Cost Plus mug',
  'Canon AE-1 with 50mm lens',
  'Cabin 12 candle',
  'Harry Potter 1-7 box set',
])('“%s” has no private part', (name) => {
  expect(splitPrivateWords(name)).toEqual({ words: name, privateParts: [] });
});
