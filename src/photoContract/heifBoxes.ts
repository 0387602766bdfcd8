type Box = { type: string; start: number; end: number };

const createDataView = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The returned `end` can be beyond the end of the file. */
const parseBoxAt = (view: DataView, at: number, limit: number): Box | null => {
  if (at + 8 > Math.min(limit, view.byteLength)) return null;
  const size = view.getUint32(at);
  const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
  if (size === 0) return { type, start: at + 8, end: limit };
  if (size !== 1) return size < 8 ? null : { type, start: at + 8, end: at + size };
  if (at + 16 > view.byteLength) return null;
  const large = Number(view.getBigUint64(at + 8));
  return large < 16 ? null : { type, start: at + 16, end: at + large };
};

/** No photo has more boxes. Without this limit, a file that consists only of boxes would take seconds to read. */
const maxBoxes = 65_536;

const parseBoxes = (view: DataView, from: number, limit: number): Box[] => {
  const boxes: Box[] = [];
  for (let at = from; boxes.length < maxBoxes;) {
    const box = parseBoxAt(view, at, limit);
    if (!box) break;
    boxes.push(box);
    at = box.end;
  }
  return boxes;
};

const createByteReader = (view: DataView, from: number) => {
  let at = from;
  return {
    take(size: number): number {
      let value = 0;
      for (let i = 0; i < size; i++) value = value * 256 + view.getUint8(at++);
      return value;
    },
  };
};

/** `start` and `end` are offsets in the file only if `method` is 0. */
type ItemExtent = { item: number; method: number; start: number; end: number };

function* parseItemExtents(view: DataView, iloc: Box): Generator<ItemExtent> {
  const from = createByteReader(view, iloc.start);
  const version = from.take(1);
  from.take(3);
  const sizes = from.take(1);
  const more = from.take(1);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, more >> 4];
  const indexSize = version > 0 ? more & 15 : 0;
  const count = from.take(version < 2 ? 2 : 4);
  for (let nth = 0; nth < count; nth++) {
    const item = from.take(version < 2 ? 2 : 4);
    const method = version > 0 ? from.take(2) & 15 : 0;
    from.take(2);
    const base = from.take(baseSize);
    const extents = from.take(2);
    // Extents whose description takes zero bytes are skipped, because a small file could declare any number of them.
    if (indexSize + offsetSize + lengthSize === 0) continue;
    for (let extent = 0; extent < extents; extent++) {
      from.take(indexSize);
      const start = base + from.take(offsetSize);
      yield { item, method, start, end: start + from.take(lengthSize) };
    }
  }
}

const computeFarthestEnd = (view: DataView, iloc: Box): number => {
  let farthest = 0;
  for (const { method, end } of parseItemExtents(view, iloc)) if (method === 0) farthest = Math.max(farthest, end);
  return farthest;
};

const findItemNumber = (view: DataView, iinf: Box, type: string): number | undefined => {
  const entries = parseBoxes(view, iinf.start + (view.getUint8(iinf.start) === 0 ? 6 : 8), iinf.end);
  for (const { type: name, start } of entries) {
    const version = name === 'infe' ? view.getUint8(start) : 0;
    if (version < 2) continue;
    const from = createByteReader(view, start + 4);
    const item = from.take(version === 2 ? 2 : 4);
    from.take(2);
    if (String.fromCharCode(...[1, 1, 1, 1].map((size) => from.take(size))) === type) return item;
  }
  return undefined;
};

/**
 * The meta box of a phone photo has a few KB, so this limit leaves ample room. A larger box could take long to read.
 */
const maxMetaBytes = 1024 * 1024;

/** Returns the first item of this type; null if the file has no such item. Throws RangeError if a box ends too early. */
export const findHeifItem = (bytes: Buffer, type: string): Buffer | null => {
  const view = createDataView(bytes);
  const meta = parseBoxes(view, 0, bytes.length).find((box) => box.type === 'meta');
  if (!meta || meta.end - meta.start > maxMetaBytes) return null;
  const boxes = parseBoxes(view, meta.start + 4, meta.end);
  const iinf = boxes.find((box) => box.type === 'iinf');
  const iloc = boxes.find((box) => box.type === 'iloc');
  const wanted = iinf && findItemNumber(view, iinf, type);
  if (!iloc || wanted === undefined) return null;
  for (const { item, method, start, end } of parseItemExtents(view, iloc))
    if (item === wanted && method === 0) return end > bytes.length ? null : bytes.subarray(start, end);
  return null;
};

/** The codes of a picture's primaries and transfer curve (H.273). */
export type HeifColourLabel = { primaries: number; transfer: number };

/** `label` is null if the photo has a colour profile or no label. `isRotated`: the container rotates or mirrors it. */
export type HeifPrimaryFacts = { label: HeifColourLabel | null; isRotated: boolean };

const readItemProperties = (view: DataView, ipma: Box, wanted: number): number[] => {
  const from = createByteReader(view, ipma.start);
  const version = from.take(1);
  const hasLargeIndex = (from.take(3) & 1) === 1;
  const count = from.take(4);
  for (let nth = 0; nth < count; nth++) {
    const item = from.take(version < 1 ? 2 : 4);
    const places = Array.from({ length: from.take(1) }, () =>
      hasLargeIndex ? from.take(2) & 0x7fff : from.take(1) & 0x7f,
    );
    if (item === wanted) return places;
  }
  return [];
};

/** Returns the properties of the primary picture. Other pictures in the file can have other colours and rotations. */
const findPrimaryProperties = (view: DataView): Box[] => {
  const meta = parseBoxes(view, 0, view.byteLength).find((box) => box.type === 'meta');
  if (!meta || meta.end - meta.start > maxMetaBytes) return [];
  const boxes = parseBoxes(view, meta.start + 4, meta.end);
  const [pitm, iprp] = ['pitm', 'iprp'].map((type) => boxes.find((box) => box.type === type));
  if (!pitm || !iprp) return [];
  const parts = parseBoxes(view, iprp.start, iprp.end);
  const [ipco, ipma] = ['ipco', 'ipma'].map((type) => parts.find((box) => box.type === type));
  if (!ipco || !ipma) return [];
  const all = parseBoxes(view, ipco.start, ipco.end);
  const primary = createByteReader(view, pitm.start + 4).take(view.getUint8(pitm.start) === 0 ? 2 : 4);
  return readItemProperties(view, ipma, primary).flatMap((place) => all[place - 1] ?? []);
};

/** Reads how the primary picture of a HEIC or AVIF file is to be shown. Returns no label if the boxes are broken. */
export const readHeifPrimaryFacts = (bytes: Uint8Array): HeifPrimaryFacts => {
  const view = createDataView(bytes);
  try {
    const properties = findPrimaryProperties(view);
    const labels = properties.filter(({ type }) => type === 'colr');
    const readLabelType = ({ start }: Box): number => view.getUint32(start);
    const nclx = labels.find((box) => readLabelType(box) === 0x6e636c78);
    const hasProfile = labels.some((box) => readLabelType(box) !== 0x6e636c78);
    const label =
      nclx && !hasProfile
        ? { primaries: view.getUint16(nclx.start + 4), transfer: view.getUint16(nclx.start + 6) }
        : null;
    return { label, isRotated: properties.some(({ type }) => type === 'irot' || type === 'imir') };
  } catch (error) {
    if (error instanceof RangeError) return { label: null, isRotated: false };
    throw error;
  }
};

/** The boxes that contain the photo. Other boxes at the end might be data that a phone added, so they are ignored. */
const essentialBoxes = ['ftyp', 'meta', 'mdat', 'moov'];

const hasCutBox = (boxes: readonly Box[], bytes: Uint8Array): boolean =>
  boxes.some((box) => essentialBoxes.includes(box.type) && box.end > bytes.length);

/**
 * Returns whether an image sequence is truncated. A whole one has a box `moov`, and no `meta` unless it has a still
 * picture.
 */
export const isHeifSequenceTruncated = (bytes: Uint8Array): boolean => {
  const boxes = parseBoxes(createDataView(bytes), 0, bytes.length);
  return hasCutBox(boxes, bytes) || !boxes.some(({ type }) => type === 'moov');
};

/**
 * Returns whether a HEIC or AVIF file is truncated. Decoders return such a photo with green areas and no error, so the
 * file size is compared with the end of each box and item.
 */
export const isHeifTruncated = (bytes: Uint8Array): boolean => {
  const view = createDataView(bytes);
  const boxes = parseBoxes(view, 0, bytes.length);
  if (hasCutBox(boxes, bytes)) return true;
  const meta = boxes.find((box) => box.type === 'meta');
  if (!meta) return true;
  const iloc = parseBoxes(view, meta.start + 4, meta.end).find((box) => box.type === 'iloc');
  try {
    return iloc !== undefined && computeFarthestEnd(view, iloc) > bytes.length;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
};
