type Box = { type: string; start: number; body: number; end: number };

const listBoxes = (bytes: Buffer, from: number, end: number): Box[] => {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= end;) {
    const size = bytes.readUInt32BE(at) || end - at;
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), start: at, body: at + 8, end: at + size });
    at += size;
  }
  return boxes;
};

const getBox = (bytes: Buffer, path: readonly string[]): Box => {
  let box: Box = { type: '', start: 0, body: 0, end: bytes.length };
  for (const type of path) {
    const found = listBoxes(bytes, box.body, box.end).find((each) => each.type === type);
    if (!found) throw new Error(`The file has no box ${path.join('/')}.`);
    box = type === 'meta' ? { ...found, body: found.body + 4 } : found;
  }
  return box;
};

/** Replaces bytes and adds the difference in size to the boxes around them. */
const spliceBox = (bytes: Buffer, path: readonly string[], at: number, added: Buffer): Buffer => {
  const result = Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]);
  for (let depth = 1; depth <= path.length; depth++) {
    const { start } = getBox(bytes, path.slice(0, depth));
    result.writeUInt32BE(result.readUInt32BE(start) + added.length, start);
  }
  return result;
};

/** Adds the growth of the meta box to the offsets of items in the file. The encoders use offsets of four bytes. */
const moveItems = (bytes: Buffer, growth: number): void => {
  const { body } = getBox(bytes, ['meta', 'iloc']);
  const version = bytes.readUInt8(body);
  const [offsetSize, lengthSize] = [bytes.readUInt8(body + 4) >> 4, bytes.readUInt8(body + 4) & 15];
  const baseSize = bytes.readUInt8(body + 5) >> 4;
  if (offsetSize !== 4 || version > 1) throw new Error('The encoder writes other item locations than expected.');
  let at = body + 8;
  for (let item = bytes.readUInt16BE(body + 6); item > 0; item--) {
    const method = version === 1 ? bytes.readUInt16BE(at + 2) & 15 : 0;
    at += (version === 1 ? 6 : 4) + baseSize;
    const extents = bytes.readUInt16BE(at);
    at += 2;
    for (let nth = 0; nth < extents; nth++, at += 4 + lengthSize)
      if (method === 0) bytes.writeUInt32BE(bytes.readUInt32BE(at) + growth, at);
  }
};

type ColourCodes = { primaries: number; transfer: number; matrix: number };

/** Returns a HEIC or AVIF file with a colour label (`colr` box of type `nclx`) on each of its pictures. */
export const labelHeif = (bytes: Buffer, { primaries, transfer, matrix }: ColourCodes): Buffer => {
  const ipco = getBox(bytes, ['meta', 'iprp', 'ipco']);
  const place = listBoxes(bytes, ipco.body, ipco.end).length + 1;
  const colr = Buffer.from([0, 0, 0, 19, ...Buffer.from('colrnclx'), 0, primaries, 0, transfer, 0, matrix, 0x80]);
  let labelled = spliceBox(bytes, ['meta', 'iprp', 'ipco'], ipco.end, colr);
  const items = labelled.readUInt32BE(getBox(labelled, ['meta', 'iprp', 'ipma']).body + 4);
  for (let item = 0; item < items; item++) {
    let at = getBox(labelled, ['meta', 'iprp', 'ipma']).body + 8;
    for (let before = 0; before < item; before++) at += 3 + labelled.readUInt8(at + 2);
    labelled = spliceBox(labelled, ['meta', 'iprp', 'ipma'], at + 3 + labelled.readUInt8(at + 2), Buffer.from([place]));
    labelled.writeUInt8(labelled.readUInt8(at + 2) + 1, at + 2);
  }
  moveItems(labelled, labelled.length - bytes.length);
  return labelled;
};
