/** One box of an ISO media file: where its content starts and ends, in bytes from the start of the file. */
type Box = { type: string; start: number; end: number };

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads the header of the box at `at`; null when there is none. The end is what the box claims, not what is there. */
const boxAt = (view: DataView, at: number, limit: number): Box | null => {
  if (at + 8 > Math.min(limit, view.byteLength)) return null;
  const size = view.getUint32(at);
  const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
  if (size === 0) return { type, start: at + 8, end: limit };
  if (size !== 1) return size < 8 ? null : { type, start: at + 8, end: at + size };
  if (at + 16 > view.byteLength) return null;
  const large = Number(view.getBigUint64(at + 8));
  return large < 16 ? null : { type, start: at + 16, end: at + large };
};

const boxesIn = (view: DataView, from: number, limit: number): Box[] => {
  const boxes: Box[] = [];
  for (let at = from; ;) {
    const box = boxAt(view, at, limit);
    if (!box) return boxes;
    boxes.push(box);
    at = box.end;
  }
};

const reader = (view: DataView, from: number) => {
  let at = from;
  return {
    /** Reads an unsigned number of 0, 1, 2, 4 or 8 bytes. */
    take(size: number): number {
      let value = 0;
      for (let i = 0; i < size; i++) value = value * 256 + view.getUint8(at++);
      return value;
    },
  };
};

/** The farthest byte an item location box points to. Only offsets into the file count (construction method 0). */
const farthestExtent = (view: DataView, iloc: Box): number => {
  const from = reader(view, iloc.start);
  const version = from.take(1);
  from.take(3);
  const sizes = from.take(1);
  const more = from.take(1);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, more >> 4];
  const indexSize = version > 0 ? more & 15 : 0;
  const count = from.take(version < 2 ? 2 : 4);
  let farthest = 0;
  for (let item = 0; item < count; item++) {
    from.take(version < 2 ? 2 : 4);
    const method = version > 0 ? from.take(2) & 15 : 0;
    from.take(2);
    const base = from.take(baseSize);
    const extents = from.take(2);
    for (let extent = 0; extent < extents; extent++) {
      from.take(indexSize);
      const end = base + from.take(offsetSize) + from.take(lengthSize);
      if (method === 0) farthest = Math.max(farthest, end);
    }
  }
  return farthest;
};

/** Boxes every photo has; anything else at the end may be a phone's own trailer and is nobody's business. */
const essential = ['ftyp', 'meta', 'mdat', 'moov'];

/**
 * Whether a HEIC or AVIF file ends before its picture data does. Decoders return such a photo with green tiles and no
 * error, so the ends of its boxes and items are compared with its size.
 */
export const isCutShort = (bytes: Uint8Array): boolean => {
  const view = viewOf(bytes);
  const boxes = boxesIn(view, 0, bytes.length);
  if (boxes.some((box) => essential.includes(box.type) && box.end > bytes.length)) return true;
  const meta = boxes.find((box) => box.type === 'meta');
  if (!meta) return true;
  const iloc = boxesIn(view, meta.start + 4, meta.end).find((box) => box.type === 'iloc');
  try {
    return iloc !== undefined && farthestExtent(view, iloc) > bytes.length;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
};
