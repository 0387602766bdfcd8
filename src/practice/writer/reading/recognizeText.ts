import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createWorker, OEM, PSM, type Page, type Worker } from 'tesseract.js';
import type { TextLine } from './photoReading.ts';
import { toGrey, type Picture } from './picture.ts';

// Language data comes from its package; nothing is fetched and nothing is written.
const start = async (): Promise<Worker> => {
  const { resolve } = createRequire(import.meta.url);
  const langPath = join(dirname(resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int');
  const worker = await createWorker('eng', OEM.LSTM_ONLY, {
    langPath,
    gzip: true,
    cacheMethod: 'none',
    cachePath: tmpdir(),
    errorHandler: () => undefined,
  });
  // A stated resolution spares the reader a guess; its remarks would go to the process's error output.
  await worker.setParameters({ user_defined_dpi: '300', debug_file: '/dev/null' });
  return worker;
};

let started: Promise<Worker> | undefined;

// A grey picture in the plainest file format there is: no compression to do and undo.
const portableGreymap = ({ data, width, height }: Picture): Buffer =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), data]);

const linesOf = ({ blocks }: Page, { width, height }: Picture): TextLine[] =>
  (blocks ?? [])
    .flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines))
    .map((line) => ({
      text: line.text.trim(),
      confidence: line.confidence,
      height: (line.bbox.y1 - line.bbox.y0) / height,
      top: line.bbox.y0 / height,
      left: line.bbox.x0 / width,
      words: line.words.map(({ text, confidence, bbox }) => ({
        text,
        confidence,
        height: (bbox.y1 - bbox.y0) / height,
      })),
    }))
    .filter((line) => line.text !== '');

const read = async (picture: Picture, layout: PSM, longestSide: number): Promise<TextLine[]> => {
  const worker = await (started ??= start());
  await worker.setParameters({ tessedit_pageseg_mode: layout });
  const grey = await toGrey(picture, longestSide);
  const { data } = await worker.recognize(portableGreymap(grey), {}, { blocks: true, text: false });
  return linesOf(data, grey);
};

const saysSomething = (lines: readonly TextLine[]): boolean =>
  lines.some(({ words }) => words.some(({ text, confidence }) => confidence > 70 && /\p{L}{3}/u.test(text)));

/**
 * Printed lines in the picture, top to bottom, with how sure the reader is of each word.
 * Looking for a laid out page is quick and leaves wood and fabric alone; where that finds nothing, a look for
 * scattered words follows on a smaller picture, because at full size it would read every texture for seconds.
 */
export const recognizeText = async (picture: Picture): Promise<TextLine[]> => {
  const page = await read(picture, PSM.AUTO, 1600);
  const lines = saysSomething(page) ? page : await read(picture, PSM.SPARSE_TEXT, 640);
  return lines.sort((one, other) => one.top - other.top || one.left - other.left);
};
