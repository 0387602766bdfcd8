import { isMeaninglessFolderName, removeFileExtension, type PhotoFile } from './groupFiles.ts';
import { openFileInside, type Roots } from './openInside.ts';

/** A longer text is probably not about a single item. */
const maxTextBytes = 4_096;

export type FolderText = { name: string; text: string };

/** Names of single photos. Some programs give them to folders too: IMG_2041, DSC00012, 20261122_101500, 2. */
const photoNamePattern = /^(img|dsc[fn]?|dscn|pxl|mvi|p|photo|foto|bild|image)?[-_ ]?\d[\d\W_]*$/i;

const toPlainLine = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}_]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the words in a folder name, or an empty string if a camera or the system chose the name. */
export const getFolderWords = (name: string): string => {
  const words = toPlainLine(name);
  return isMeaninglessFolderName(name) ||
    isMeaninglessFolderName(words) ||
    photoNamePattern.test(removeFileExtension(words)) ||
    !/\p{L}{2}/u.test(words)
    ? ''
    : words;
};

const decodePlainText = (bytes: Uint8Array): string | null => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n').trim();
    return text === '' || /[^\P{Cc}\n\t]/u.test(text) ? null : text.replace(/[\p{Cf}\p{Zl}\p{Zp}]/gu, '');
  } catch {
    return null;
  }
};

const readShortText = async (path: string, roots: Roots): Promise<string | null> => {
  const file = await openFileInside(roots, path);
  try {
    const memory = Buffer.alloc(maxTextBytes + 1);
    const { bytesRead } = await file.read(memory, 0, memory.length, 0);
    return bytesRead > maxTextBytes ? null : decodePlainText(memory.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
};

/**
 * Returns the first short, plain UTF-8 text; null if no file has one. The text is untrusted, so it must never be
 * interpreted.
 */
export const readFirstFolderText = async (files: readonly PhotoFile[]): Promise<FolderText | null> => {
  for (const { path, name, root } of files) {
    const text = await readShortText(path, root === null ? null : [root]).catch(() => null);
    if (text !== null) return { name: toPlainLine(name), text };
  }
  return null;
};
