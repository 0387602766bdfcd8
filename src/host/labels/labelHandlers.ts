import { resolveLabelSheet } from '../../contract/labelSheets.ts';
import type { Shelf } from '../../core/shelf/shelf.ts';
import type { CallHandlers, ParsedCallInput } from '../../ipc/calls.ts';
import type { Shell } from '../shell.ts';
import type { LabelPrinter } from './labelPrinter.ts';

type LabelHost = { labels: Pick<LabelPrinter, 'createPdf' | 'layOut'>; shell: Pick<Shell, 'openPdf'> };
type LabelHandlers = Pick<CallHandlers, 'shelf.labelPreview' | 'shelf.labels' | 'shelf.printLabels'>;

export const createLabelHandlers = (shelf: Pick<Shelf, 'labels'>, { labels, shell }: LabelHost): LabelHandlers => {
  const createPdf = ({ choice, startAt, ...targets }: ParsedCallInput<'shelf.labels'>): Promise<Uint8Array> =>
    labels.createPdf({ labels: shelf.labels(targets), sheet: resolveLabelSheet(choice), startAt });
  return {
    'shelf.labelPreview': async ({ choice, ...targets }) => {
      const all = shelf.labels(targets);
      const first = all.find(({ sku, place }) => sku !== null || place !== null);
      const { label } = resolveLabelSheet(choice);
      return {
        layout: first === undefined ? null : await labels.layOut(first, label),
        total: all.length,
        withoutSku: all.filter(({ sku }) => sku === null).length,
      };
    },
    'shelf.labels': async (input) => {
      const base64 = Buffer.from(await createPdf(input)).toString('base64');
      return { name: 'labels.pdf', type: 'application/pdf', base64 };
    },
    // The browser host replaces this handler, because the browser itself shows and prints documents.
    'shelf.printLabels': async (input) => {
      await shell.openPdf(await createPdf(input));
      return { url: null };
    },
  };
};
