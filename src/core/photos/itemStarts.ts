/** What a photo may say about where an item begins. */
export type StartMark = { barcodes: readonly unknown[]; sheet: boolean };

const isMark = ({ barcodes, sheet }: StartMark): boolean => barcodes.length > 0 || sheet;

/**
 * Where new items begin among photos in order, for sellers who first photograph the barcode, or a sheet of paper with a
 * number, of each item. Only where that is plainly the habit: the first photo is such a mark, there are more of them, and
 * each is followed by other photos. Otherwise one item: a barcode in the middle is a photo of the item like any other.
 */
export const itemStarts = (photos: readonly StartMark[]): number[] => {
  const marks = photos.map(isMark);
  const starts = marks.flatMap((mark, at) => (mark && !marks[at - 1] ? [at] : []));
  const followed = starts.every((at) => marks.indexOf(false, at) !== -1);
  return starts[0] === 0 && starts.length > 1 && followed ? starts : [0];
};
