import * as z from 'zod';

/** All lengths are in millimetres. */
type Size = { width: number; height: number };

/** Where the labels of a page are. The page of a roll is one label. */
export type LabelSheet = {
  page: Size;
  label: Size;
  columns: number;
  rows: number;
  /** The top left corner of the first label. */
  margin: { left: number; top: number };
  /** The distances between two labels. */
  gap: { x: number; y: number };
};

const inch = 25.4;
const papers = { a4: { width: 210, height: 297 }, letter: { width: 215.9, height: 279.4 } } as const;

const createSheet = (sheet: Omit<LabelSheet, 'gap'>, gapX: number): LabelSheet => ({
  ...sheet,
  gap: { x: gapX, y: 0 },
});

const createRoll = (label: Size): LabelSheet =>
  createSheet({ page: label, label, columns: 1, rows: 1, margin: { left: 0, top: 0 } }, 0);

/** The measures that the makers publish. The margins of the sheets are the same on both sides. */
export const labelSheets = {
  L4731: createSheet(
    { page: papers.a4, label: { width: 25.4, height: 10 }, columns: 7, rows: 27, margin: { left: 8.6, top: 13.5 } },
    2.5,
  ),
  L7651: createSheet(
    { page: papers.a4, label: { width: 38.1, height: 21.2 }, columns: 5, rows: 13, margin: { left: 4.75, top: 10.7 } },
    2.5,
  ),
  '5160': createSheet(
    {
      ...{ page: papers.letter, label: { width: 2.625 * inch, height: inch }, columns: 3, rows: 10 },
      margin: { left: 0.1875 * inch, top: 0.5 * inch },
    },
    0.125 * inch,
  ),
  '5167': createSheet(
    {
      ...{ page: papers.letter, label: { width: 1.75 * inch, height: 0.5 * inch }, columns: 4, rows: 20 },
      margin: { left: 0.3 * inch, top: 0.5 * inch },
    },
    0.3 * inch,
  ),
  roll62: createRoll({ width: 62, height: 29 }),
  roll57: createRoll({ width: 57, height: 32 }),
  roll4x6: createRoll({ width: 4 * inch, height: 6 * inch }),
} as const satisfies Record<string, LabelSheet>;

export const labelSheetIds = ['L4731', 'L7651', '5160', '5167', 'roll62', 'roll57', 'roll4x6'] as const;

const length = (min: number): z.ZodNumber => z.number().min(min).max(400);
const count = z.int().min(1).max(50);

/** A sheet that the person has measured. The paper `label` is a roll, so its page has the size of the labels and margins. */
export const customLabelSheet = z.object({
  paper: z.enum(['a4', 'letter', 'label']),
  width: length(15),
  height: length(8),
  columns: count,
  rows: count,
  left: length(0),
  top: length(0),
  gapX: length(0),
  gapY: length(0),
});

export const labelChoice = z.object({ sheet: z.enum([...labelSheetIds, 'custom']), custom: customLabelSheet });
export type LabelChoice = z.infer<typeof labelChoice>;

export const defaultLabelChoice: LabelChoice = {
  sheet: 'L7651',
  custom: { paper: 'a4', width: 70, height: 37, columns: 3, rows: 8, left: 0, top: 0.5, gapX: 0, gapY: 0 },
};

const measureLabels = ({
  label,
  columns,
  rows,
  gap,
}: Pick<LabelSheet, 'label' | 'columns' | 'rows' | 'gap'>): Size => ({
  width: columns * label.width + (columns - 1) * gap.x,
  height: rows * label.height + (rows - 1) * gap.y,
});

export const resolveLabelSheet = ({ sheet, custom }: LabelChoice): LabelSheet => {
  if (sheet !== 'custom') return labelSheets[sheet];
  const { paper, columns, rows, left, top, gapX, gapY } = custom;
  const labels = { label: { width: custom.width, height: custom.height }, columns, rows, gap: { x: gapX, y: gapY } };
  const all = measureLabels(labels);
  const page = paper === 'label' ? { width: all.width + 2 * left, height: all.height + 2 * top } : papers[paper];
  return { ...labels, page, margin: { left, top } };
};

/** Lengths in inches are not exact in floating point. */
const tolerance = 0.01;

export const fitsPage = (sheet: LabelSheet): boolean => {
  const all = measureLabels(sheet);
  return (
    sheet.margin.left + all.width <= sheet.page.width + tolerance &&
    sheet.margin.top + all.height <= sheet.page.height + tolerance
  );
};

export const countSheetLabels = ({ columns, rows }: LabelSheet): number => columns * rows;

/** Returns the page and the top left corner of a label. Labels fill the rows from left to right. */
export const locateLabel = (sheet: LabelSheet, position: number): { page: number; x: number; y: number } => {
  const [page, place] = [Math.floor(position / countSheetLabels(sheet)), position % countSheetLabels(sheet)];
  const [column, row] = [place % sheet.columns, Math.floor(place / sheet.columns)];
  return {
    page,
    x: sheet.margin.left + column * (sheet.label.width + sheet.gap.x),
    y: sheet.margin.top + row * (sheet.label.height + sheet.gap.y),
  };
};
