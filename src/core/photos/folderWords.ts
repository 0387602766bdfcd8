import { namesNothing, stemOf, type PhotoFile } from './groupFiles.ts';
import { openInside, type Roots } from './openInside.ts';

/** The maximum size of a text file beside photos. A longer text is hardly about a single item. */
const mostTextBytes = 4_096;

/** A text file beside photos. */
export type FolderText = { name: string; text: string };

/** Names of single photos, which some programs also give to folders: IMG_2041, DSC00012, 20261122_101500, 2. */
const photoName = /^(img|dsc[fn]?|dscn|pxl|mvi|p|photo|foto|bild|image)?[-_ ]?\d[\d\W_]*$/i;

/** Reduces a name to one line of plain text, without control or bidirectional characters. */
const plainLine = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}_]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the words in a folder name that a person chose; empty for a name given by a camera or system. */
export const wordsOfFolder = (name: string): string => {
  const words = plainLine(name);
  return namesNothing(name) || namesNothing(words) || photoName.test(stemOf(words)) || !/\p{L}{2}/u.test(words)
    ? ''
    : words;
};

/** Decodes readable text; null for invalid UTF-8 or control characters other than line ends and tabs. */
const textIn = (bytes: Uint8Array): string | null => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n').trim();
    return text === '' || /[^\P{Cc}\n\t]/u.test(text) ? null : text.replace(/[\p{Cf}\p{Zl}\p{Zp}]/gu, '');
  } catch {
    return null;
  }
};

const readText = async (path: string, roots: Roots): Promise<string | null> => {
  const file = await openInside(roots, path);
  try {
    const memory = Buffer.alloc(mostTextBytes + 1);
    const { bytesRead } = await file.read(memory, 0, memory.length, 0);
    return bytesRead > mostTextBytes ? null : textIn(memory.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
};

/**
 * Returns the first file that is short, plain UTF-8; null when there is none. The text is untrusted data and is never
 * interpreted. Files outside the given folder and unreadable files are skipped.
 */
export const readFolderText = async (files: readonly PhotoFile[]): Promise<FolderText | null> => {
  for (const { path, name, root } of files) {
    const text = await readText(path, root === null ? null : [root]).catch(() => null);
    if (text !== null) return { name: plainLine(name), text };
  }
  return null;
};
