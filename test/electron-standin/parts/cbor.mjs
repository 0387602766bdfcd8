// The encoding of Chromium's devtools pipe with `--remote-debugging-pipe=cbor`. Bytes stay bytes; JSON would encode
// them as base64 text, which is slow to parse.

const mapStart = 0xbf;
const listStart = 0x9f;
const stop = 0xff;
/** Tag 24 and a byte string with a 32-bit length: the envelope of every map and list, so that a reader can skip it. */
const envelope = Buffer.from([0xd8, 0x18, 0x5a]);
const headerLength = envelope.length + 4;
/** Tag 22: a byte string that is not UTF-16 text. */
const binary = 0xd6;
const kinds = { unsigned: 0, negative: 1, bytes: 2, text: 3 };

const head = (kind, value) => {
  if (value < 24) return Buffer.from([(kind << 5) | value]);
  const bytes = Buffer.alloc(5);
  bytes[0] = (kind << 5) | 26;
  bytes.writeUInt32BE(value, 1);
  return bytes;
};

const numberBytes = (value) => {
  if (Number.isInteger(value) && value >= 0 && value <= 0x7fffffff) return head(kinds.unsigned, value);
  if (Number.isInteger(value) && value < 0 && value >= -0x80000000) return head(kinds.negative, -1 - value);
  const bytes = Buffer.alloc(9);
  bytes[0] = 0xfb;
  bytes.writeDoubleBE(value, 1);
  return bytes;
};

const sizeOf = (parts) => parts.reduce((size, part) => size + part.length, 0);

const enveloped = (parts) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(sizeOf(parts));
  return [envelope, length, ...parts];
};

const textParts = (text) => {
  const bytes = Buffer.from(text);
  return [head(kinds.text, bytes.length), bytes];
};

const partsOf = (value) => {
  if (value === null) return [Buffer.from([0xf6])];
  if (typeof value === 'boolean') return [Buffer.from([value ? 0xf5 : 0xf4])];
  if (typeof value === 'number') return [numberBytes(value)];
  if (typeof value === 'string') return textParts(value);
  if (ArrayBuffer.isView(value)) return [Buffer.from([binary]), head(kinds.bytes, value.length), value];
  if (Array.isArray(value))
    return enveloped([Buffer.from([listStart]), ...value.flatMap(partsOf), Buffer.from([stop])]);
  const fields = Object.entries(value).filter(([, part]) => part !== undefined);
  const inside = fields.flatMap(([name, part]) => [...textParts(name), ...partsOf(part)]);
  return enveloped([Buffer.from([mapStart]), ...inside, Buffer.from([stop])]);
};

/** Encodes a message for Chromium. */
export const encode = (message) => Buffer.concat(partsOf(message));

/** Returns the length of a message including its header, or null while the header is incomplete. */
export const lengthOf = (bytes) =>
  bytes.length < headerLength ? null : headerLength + bytes.readUInt32BE(envelope.length);

const createReader = (bytes) => {
  let at = 0;
  const take = (length) => bytes.subarray(at, (at += length));
  const lengthFor = (info) => {
    if (info < 24) return info;
    if (info === 24) return take(1)[0];
    if (info === 25) return take(2).readUInt16BE();
    if (info === 26) return take(4).readUInt32BE();
    return Number(take(8).readBigUInt64BE());
  };
  const list = () => {
    const items = [];
    while (bytes[at] !== stop) items.push(read());
    at += 1;
    return items;
  };
  const map = () => {
    const fields = {};
    while (bytes[at] !== stop) {
      const name = read();
      fields[name] = read();
    }
    at += 1;
    return fields;
  };
  const simple = (first) => {
    if (first === 0xfb) return take(8).readDoubleBE();
    if (first === 0xf5) return true;
    if (first === 0xf4) return false;
    return null;
  };
  const read = () => {
    const first = take(1)[0];
    if (first === envelope[0]) {
      at += headerLength - 1;
      return read();
    }
    if (first === mapStart) return map();
    if (first === listStart) return list();
    // Base64, as in JSON.
    if (first === binary) return take(lengthFor(take(1)[0] & 31)).toString('base64');
    const kind = first >> 5;
    if (kind === 7) return simple(first);
    const value = lengthFor(first & 31);
    if (kind === kinds.unsigned) return value;
    if (kind === kinds.negative) return -1 - value;
    return take(value).toString(kind === kinds.text ? 'utf8' : 'utf16le');
  };
  return read;
};

/** Decodes a message from Chromium. */
export const decode = (bytes) => createReader(bytes)();
