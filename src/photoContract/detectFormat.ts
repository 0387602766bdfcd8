export type DetectedFormat =
  | 'empty'
  | 'jpeg'
  | 'png'
  | 'gif'
  | 'webp'
  | 'avif'
  | 'heic'
  | 'tiff'
  | 'svg'
  | 'pdf'
  | 'video'
  | 'raw'
  | 'otherPicture'
  | 'other';

/** This many first bytes of a file are enough to detect most formats. */
export const headBytes = 4100;

const decodeAsciiText = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));

const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'];
const genericBrands = ['mif1', 'mif2', 'msf1', 'miaf'];

/** The brand of a HEIF file with a minimal header, which the decoders cannot read. */
const miniBrand = 'mif3';

/** A HEIF container can name its codec in any of its brands, so all of them are checked. */
const detectHeifByBrands = (head: Uint8Array): DetectedFormat | null => {
  if (decodeAsciiText(head, 4, 4) !== 'ftyp') return null;
  const size = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(0);
  const brands = [decodeAsciiText(head, 8, 4)];
  if (brands[0] === miniBrand) return 'otherPicture';
  for (let at = 16; at + 4 <= Math.min(size, head.length); at += 4) brands.push(decodeAsciiText(head, at, 4));
  if (brands.some((brand) => heicBrands.includes(brand))) return 'heic';
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'avif';
  return brands.some((brand) => genericBrands.includes(brand)) ? 'heic' : null;
};

const isSvgFile = (head: Uint8Array): boolean => {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  const text = new TextDecoder(isUtf16 ? (head[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(head);
  return /^\s*</.test(text) && /<(\w+:)?svg[\s>]/i.test(text);
};

const rawEndings = ['cr2', 'cr3', 'nef', 'arw', 'dng', 'orf', 'rw2', 'raf'];
const formatByMime: Record<string, DetectedFormat> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/tiff': 'tiff',
  'application/pdf': 'pdf',
};

/** Returns undefined if the library throws or finds no type, for example because the file is broken. */
const detectFileType = async (bytes: Uint8Array): Promise<{ ext: string; mime: string } | undefined> => {
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    return await fileTypeFromBuffer(bytes);
  } catch {
    return undefined;
  }
};

const hasJpegSignature = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;

const detectByFirstBytes = (bytes: Uint8Array): DetectedFormat => {
  if (hasJpegSignature(bytes)) return 'jpeg';
  if (decodeAsciiText(bytes, 0, 4) === '\x89PNG') return 'png';
  if (/^GIF8[79]a/.test(decodeAsciiText(bytes, 0, 6))) return 'gif';
  if (decodeAsciiText(bytes, 0, 5) === '%PDF-') return 'pdf';
  return 'other';
};

/** Detects the format by the content. Camera raw files begin like TIFF, so they are detected only with all bytes. */
export const detectFormat = async (bytes: Uint8Array): Promise<DetectedFormat> => {
  if (bytes.length === 0) return 'empty';
  // Most photos are JPEG. JPEG-LS is another format with the same first bytes.
  if (hasJpegSignature(bytes) && bytes[3] !== 0xf7) return 'jpeg';
  const heif = bytes.length >= 12 ? detectHeifByBrands(bytes) : null;
  if (heif) return heif;
  if (isSvgFile(bytes.subarray(0, headBytes))) return 'svg';
  const found = await detectFileType(bytes);
  if (!found) return detectByFirstBytes(bytes);
  const known = formatByMime[found.mime];
  if (rawEndings.includes(found.ext)) return 'raw';
  if (known) return known;
  if (found.mime.startsWith('video/')) return 'video';
  return found.mime.startsWith('image/') ? 'otherPicture' : detectByFirstBytes(bytes);
};

const pictureFormats: readonly DetectedFormat[] = [
  'jpeg',
  'png',
  'gif',
  'webp',
  'avif',
  'heic',
  'tiff',
  'raw',
  'svg',
  'otherPicture',
];

/** Returns whether the format counts as a photo. Some of these formats are refused later with a clear message. */
export const isPictureFormat = (format: DetectedFormat): boolean => pictureFormats.includes(format);

const photoStarts = ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'II*\0', 'MM\0*'];

/**
 * Returns whether the first bytes are those of a common photo format. The check is fast, but a photo can have other
 * first bytes.
 */
export const hasPhotoSignature = (head: Uint8Array): boolean => {
  const start = decodeAsciiText(head, 0, 12);
  if (photoStarts.some((magic) => start.startsWith(magic))) return true;
  if (start.startsWith('RIFF')) return start.endsWith('WEBP');
  return start.slice(4, 8) === 'ftyp' && [...heicBrands, 'mif1', 'avif'].includes(start.slice(8));
};
