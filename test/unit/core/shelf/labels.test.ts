import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import {
  countSheetLabels,
  defaultLabelChoice,
  fitsPage,
  labelSheetIds,
  labelSheets,
  locateLabel,
  resolveLabelSheet,
  type LabelSheet,
} from '../../../../src/contract/labelSheets.ts';
import { createLabelsPdf, layOutLabel, openTypefaces, type Label } from '../../../../src/core/shelf/labels.ts';
import { findInk, readQrCodes, renderPdf } from '../../../helpers/renderPdf.ts';

const { resolve } = createRequire(import.meta.url);
const readFont = (name: string): Buffer => readFileSync(resolve(`@expo-google-fonts/roboto-condensed/${name}.ttf`));
const fonts = {
  regular: readFont('400Regular/RobotoCondensed_400Regular'),
  bold: readFont('700Bold/RobotoCondensed_700Bold'),
};
const faces = openTypefaces(fonts);

const longTitles = [
  'Vintage Levi’s 501 denim jacket, stone washed, men’s size L, made in the USA, excellent condition',
  'Hand-painted Staffordshire porcelain dinner service for twelve people with gold rim and two tureens',
  'Pneumonoultramicroscopicsilicovolcanoconiosis-Anatomical-Teaching-Poster-Unused',
  'Boxed 1984 Transformers G1 Optimus Prime with instructions, stickers not applied – complete set',
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen aus Übersee, Größe M, unbenutzt',
  'Zweiteiliger Jugendstil-Küchenschrank aus Weichholz, abgebeizt und gewachst, um 1910, Selbstabholung',
  'Märklin H0 Schnellzugdampflokomotive Baureihe 01 mit Öltender und Geräuschfunktion, geprüft',
  'Hochwertige Überwurfdecke für französische Betten, süße Schäfchen, äußerst flauschig',
  'Théière en porcelaine émaillée de Limoges « Forêt d’été », cœur doré, très bon état, années 1930',
  'Manteau d’hiver à capuche doublé façon mouton, taille unique, couleur crème brûlée, jamais porté',
  'L’Œuvre complète de Molière, édition reliée à l’ancienne, dos à nerfs, légères rousseurs',
  'Lot de cinquante épinglettes de collection – séries variées – à trier, idéal débutant',
  'Giacca da uomo in pelle scamosciata marrone, perché quasi nuova, taglia cinquantadue, fodera integra',
  'Servizio di bicchieri in cristallo lavorato a mano, città di Murano, dodici pezzi più caraffa',
  'Macchina per caffè espresso d’epoca, però funzionante, revisionata, con libretto d’istruzioni',
  'Quadro a olio raffigurante la laguna, virtù e verità, cornice dorata originale dell’Ottocento',
  'Chaqueta impermeable para niño, talla pequeña, color añil, con capucha desmontable y bolsillos',
  'Colección completa de cómics de Mortadelo y Filemón, cien números, ¡excelente conservación!',
  'Cámara fotográfica analógica con tres objetivos, funda de cuero y manual, ¿última unidad?',
  'Muñeca antigua de porcelana con vestido de época y pingüino de peluche, señales de uso',
  'Handgemaakte wollen trui met kabelpatroon, maat extra groot, geïnspireerd op Ierse vissersdorpen',
  'Antieke eikenhouten bibliotheekkast met geslepen glazen deurtjes en koperen sleutelplaatjes',
  'Verzameling van tweehonderdvijftig gelimiteerde suikerzakjes uit cafés, één voor één geordend',
  'Koninklijke Delftsblauwe tegeltableau, coöperatief vervaardigd, beëindigde serie, zeldzaam',
  'Żółta kurtka przeciwdeszczowa męska Helly Hansen, rozmiar XL, stan bardzo dobry, bez śladów użycia',
  'Źródła do dziejów Gdańska – książka z dedykacją, okładka płócienna, wydanie pierwsze, 1937',
  'Ręcznie malowany talerz z Bolesławca, średnica trzydzieści centymetrów, ćma i gęś, zdobienia',
  'Konstantynopolitańczykowianeczka – puzzle dla dorosłych, dwa tysiące części, kompletne, łącznie',
  'Ükë Ệ ẤÅÉÔ ŐŰ stacked accents above and below ǫ ş ț ķ are inside their own lines and boxes',
  '日本の古い時計 😀 ★ vintage clock with box',
];

const createLabels = (count: number): Label[] =>
  Array.from({ length: count }, (_, index) => ({
    sku: `A${String(index % 90).padStart(2, '0')}-${index}`,
    place: `Box A${index % 90}`,
    title: longTitles[index % longTitles.length] ?? '',
  }));

const createPdf = (labels: readonly Label[], sheet: LabelSheet, startAt = 0): Promise<Uint8Array> =>
  createLabelsPdf({ labels, sheet, startAt }, fonts);

const customSheet = resolveLabelSheet({ ...defaultLabelChoice, sheet: 'custom' });
const allSheets: [string, LabelSheet][] = [
  ...labelSheetIds.map((id): [string, LabelSheet] => [id, labelSheets[id]]),
  ['custom', customSheet],
];

test.each(allSheets)('the labels of %s fit their page with the same margin on both sides', (_, sheet) => {
  expect(fitsPage(sheet)).toBe(true);
  const last = locateLabel(sheet, countSheetLabels(sheet) - 1);
  expect(last.page).toBe(0);
  expect(sheet.page.width - last.x - sheet.label.width).toBeCloseTo(sheet.margin.left, 1);
  expect(sheet.page.height - last.y - sheet.label.height).toBeCloseTo(sheet.margin.top, 1);
});

test.each([
  ['L4731', 189, 210, 297],
  ['L7651', 65, 210, 297],
  ['5160', 30, 215.9, 279.4],
  ['5167', 80, 215.9, 279.4],
] as const)('a sheet of %s has %i labels', (id, labels, width, height) => {
  expect(countSheetLabels(labelSheets[id])).toBe(labels);
  expect(labelSheets[id].page).toEqual({ width, height });
});

test('a sheet whose labels are too many for its paper does not fit', () => {
  expect(fitsPage({ ...labelSheets.L7651, rows: 14 })).toBe(false);
  expect(fitsPage({ ...labelSheets.L7651, margin: { left: 10, top: 10.7 } })).toBe(false);
});

test.each(allSheets)(
  'the labels of %s are printed in their places, and a scanner reads every SKU',
  async (_, sheet) => {
    const perPage = countSheetLabels(sheet);
    const labels = createLabels(perPage + 1);
    const { count, pages } = await renderPdf(await createPdf(labels, sheet));
    expect(count).toBe(2);
    const [page] = pages;
    if (page === undefined) throw new Error('Nothing was rendered.');
    expect(page.width / page.pixelsPerMm.x).toBeCloseTo(sheet.page.width, 1);
    expect(page.height / page.pixelsPerMm.y).toBeCloseTo(sheet.page.height, 1);
    for (const position of new Set([0, sheet.columns - 1, Math.floor(perPage / 2), perPage - 1])) {
      const area = { ...locateLabel(sheet, position), ...sheet.label };
      const label = labels[position];
      if (label === undefined) throw new Error('There is no such label.');
      expect(await readQrCodes(page, area)).toEqual([label.sku]);
      const { qr } = layOutLabel(label, sheet.label, faces);
      if (qr === null) throw new Error('The label has no code.');
      // The three corners of the code are dark, so its ink shows where the sheet was printed.
      const quiet = 0.9;
      const around = {
        x: area.x + qr.x - quiet,
        y: area.y + qr.y - quiet,
        width: qr.width + quiet,
        height: qr.height + quiet,
      };
      const ink = findInk(page, around);
      expect(Math.abs((ink?.x ?? 99) - quiet)).toBeLessThan(0.2);
      expect(Math.abs((ink?.y ?? 99) - quiet)).toBeLessThan(0.2);
      expect(Math.abs((ink?.height ?? 99) - qr.height)).toBeLessThan(0.2);
    }
  },
);

test('the first labels of a used sheet stay empty', async () => {
  const sheet = labelSheets.L7651;
  const { count, pages } = await renderPdf(await createPdf(createLabels(65), sheet, 7), 2);
  expect(count).toBe(2);
  const [first, second] = pages;
  if (first === undefined || second === undefined) throw new Error('A page is missing.');
  const areaOf = (position: number) => ({ ...locateLabel(sheet, position), ...sheet.label });
  for (let position = 0; position < 7; position += 1) expect(findInk(first, areaOf(position))).toBeNull();
  expect(await readQrCodes(first, areaOf(7))).toEqual(['A00-0']);
  expect(await readQrCodes(second, areaOf(6))).toEqual(['A64-64']);
  expect(findInk(second, areaOf(7))).toBeNull();
});

type Box = { x: number; y: number; width: number; height: number };
/** Lengths are not exact in floating point. */
const tolerance = 1e-6;
const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width - tolerance &&
  b.x < a.x + a.width - tolerance &&
  a.y < b.y + b.height - tolerance &&
  b.y < a.y + a.height - tolerance;
const isInside = (box: Box, { width, height }: { width: number; height: number }): boolean =>
  box.x >= 0 && box.y >= 0 && box.x + box.width <= width + tolerance && box.y + box.height <= height + tolerance;

const extremeLabels: Label[] = [
  { sku: 'W'.repeat(50), place: 'M'.repeat(80), title: 'N'.repeat(200) },
  { sku: 'i', place: null, title: null },
  { sku: 'A 1', place: '  ', title: '' },
  { sku: null, place: 'Regal 3 Fach 12', title: longTitles[0] ?? '' },
  { sku: null, place: null, title: longTitles[4] ?? '' },
  { sku: 'Größe-Ł-7', place: null, title: 'a\nb\tc' },
];

test.each(allSheets)('no text of %s overlaps another one or the code, or leaves the label', (_, sheet) => {
  for (const label of [...createLabels(longTitles.length), ...extremeLabels]) {
    const { qr, lines } = layOutLabel(label, sheet.label, faces);
    const boxes: Box[] = [...lines, ...(qr === null ? [] : [qr])];
    expect(boxes.length).toBeGreaterThan(0);
    expect(boxes.filter((box) => !isInside(box, sheet.label))).toEqual([]);
    expect(boxes.flatMap((box, at) => boxes.slice(at + 1).filter((other) => overlaps(box, other)))).toEqual([]);
    expect(lines.filter(({ font }) => font === 'regular').length).toBeLessThanOrEqual(2);
    const [first] = lines;
    const { place, title } = label;
    const isOther = (text: string): boolean => [place, title].some((other) => other?.startsWith(text.slice(0, 1)));
    if (label.sku !== null && !isOther(label.sku))
      for (const { size } of lines.filter(({ text }) => isOther(text))) expect(size).toBeLessThan(first?.size ?? 0);
  }
});

test('the printed texts cover no more than their boxes', async () => {
  const sheet = labelSheets.L7651;
  const labels = [...createLabels(longTitles.length), ...extremeLabels];
  const { pages } = await renderPdf(await createPdf(labels, sheet));
  const [page] = pages;
  if (page === undefined) throw new Error('Nothing was rendered.');
  labels.forEach((label, position) => {
    const place = locateLabel(sheet, position);
    const { qr, lines } = layOutLabel(label, sheet.label, faces);
    const boxes: Box[] = [...lines, ...(qr === null ? [] : [qr])];
    const ink = findInk(page, { ...place, ...sheet.label });
    // A pixel more on each side, because letters are smoothed.
    const edge = 0.1;
    expect(ink?.x).toBeGreaterThan(Math.min(...boxes.map(({ x }) => x)) - edge);
    expect((ink?.x ?? 99) + (ink?.width ?? 99)).toBeLessThan(
      Math.max(...boxes.map(({ x, width }) => x + width)) + edge,
    );
    expect((ink?.y ?? 99) + (ink?.height ?? 99)).toBeLessThan(
      Math.max(...boxes.map(({ y, height }) => y + height)) + edge,
    );
    if (qr === null) return;
    // The quiet zone between the code and the texts is empty.
    const gap = {
      x: place.x + qr.x + qr.width + edge,
      y: place.y,
      width: qr.width / qr.modules,
      height: sheet.label.height,
    };
    expect(findInk(page, gap)).toBeNull();
  });
});

test('texts in all languages are printed, and a title leaves out what the font lacks', async () => {
  const titles = ['Żółć gęślą jaźń', 'Größe süß', 'cœur d’été ½', '日本 ★ 😀 vintage', 'Ёж'];
  const labels = titles.map((title): Label => ({ sku: null, place: null, title }));
  const { pages } = await renderPdf(await createPdf(labels, labelSheets.roll62), titles.length);
  const texts = pages.map(({ text }) => text.trim().replace(/\s+/g, ' '));
  expect(texts).toEqual(['Żółć gęślą jaźń', 'Größe süß', 'cœur d’été ½', 'vintage', 'Ёж']);
});

test('a title that the font lacks is left out, and the SKU, the place and the code stay right', async () => {
  const titles = ['東京のコート', '빨간 모자', 'معطف أحمر', '🧥👒', '★ 、 。', '红色 Leica M6'];
  const labels = titles.map((title, at): Label => ({ sku: `A04-${at}`, place: 'Box A04', title }));
  const drawn = labels.map((label) => layOutLabel(label, labelSheets.L7651.label, faces).lines.map(({ text }) => text));
  expect(drawn).toEqual([...labels.slice(0, 5).map(({ sku }) => [sku, 'Box A04']), ['A04-5', 'Box A04', 'Leica M6']]);
  const { pages } = await renderPdf(await createPdf(labels, labelSheets.roll57), titles.length);
  const { width, height } = labelSheets.roll57.label;
  const read = await Promise.all(pages.map((page) => readQrCodes(page, { x: 0, y: 0, width, height })));
  expect(read).toEqual(labels.map(({ sku }) => [sku]));
});

test('a character that the font lacks is shown as a replacement in an SKU and in a place', () => {
  const label: Label = { sku: '倉庫-12', place: '棚 3', title: null };
  const { lines } = layOutLabel(label, labelSheets.L7651.label, faces);
  expect(lines.map(({ text }) => text)).toEqual(['��-12', '� 3']);
});

test('the code of a SKU in any script is read back', async () => {
  const skus = ['Größe-Ł-7', '倉庫-12', 'a'.repeat(50), '^029 ]B'];
  const labels = skus.map((sku): Label => ({ sku, place: null, title: null }));
  const { pages } = await renderPdf(await createPdf(labels, labelSheets.roll57), skus.length);
  const { width, height } = labelSheets.roll57.label;
  const read = await Promise.all(pages.map((page) => readQrCodes(page, { x: 0, y: 0, width, height })));
  expect(read).toEqual(skus.map((sku) => [sku]));
});

test('a label without a SKU shows the place and the title, and no code', () => {
  const { qr, lines } = layOutLabel({ sku: null, place: 'Regal 3', title: 'Lampe' }, labelSheets.L4731.label, faces);
  expect(qr).toBeNull();
  expect(lines.map(({ text }) => text)).toEqual(['Regal 3', 'Lampe']);
});

test('a long SKU is made smaller and split before it is cut', () => {
  const listSkuLines = (sku: string) =>
    layOutLabel({ sku, place: 'Box', title: 'Lamp' }, labelSheets.L7651.label, faces)
      .lines.map(({ text }) => text)
      .slice(0, -2);
  expect(listSkuLines('SHELF-12-0001')).toEqual(['SHELF-12-0001']);
  expect(listSkuLines('2026-11-SHELF-12-000001').join('')).toBe('2026-11-SHELF-12-000001');
  expect(listSkuLines('2026-11-SHELF-12-000001')).toHaveLength(2);
  expect(listSkuLines('0'.repeat(50)).at(-1)).toMatch(/…$/);
});

test('a long title ends with an ellipsis, and a long word is split', () => {
  const { lines } = layOutLabel({ sku: 'A1', place: 'A', title: longTitles[4] ?? '' }, labelSheets.L7651.label, faces);
  const title = lines.filter(({ font }) => font === 'regular').map(({ text }) => text);
  expect(title).toHaveLength(2);
  expect(title[1]).toMatch(/…$/);
  expect(longTitles[4]?.startsWith(title.join('').slice(0, -1))).toBe(true);
});

test('the codes are drawn as areas, not as pictures', async () => {
  const pdf = Buffer.from(await createPdf(createLabels(3), labelSheets.L7651)).toString('latin1');
  expect(pdf).toContain('/FontFile2');
  expect(pdf).not.toContain('/Subtype /Image');
});
