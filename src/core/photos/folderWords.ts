import { namesNothing, stemOf, type PhotoFile } from './groupFiles.ts';
import { openInside, type Roots } from './openInside.ts';

/** A text file beside photos may have so many bytes to be proposed; what is longer is hardly about one item. */
const mostTextBytes = 4_096;

/** What a text file beside photos says, and what it is called. */
export type FolderText = { name: string; text: string };

/** Names of single photos, which some programs give to folders, too: IMG_2041, DSC00012, 20261122_101500, 2. */
const photoName = /^(img|dsc[fn]?|dscn|pxl|mvi|p|photo|foto|bild|image)?[-_ ]?\d[\d\W_]*$/i;

/** One line of plain words: nothing hidden and nothing that turns the text around. */
const plainLine = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}_]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** What the name of a folder says of its photos: the words that a person gave it; empty for a name that a camera or a system gave. */
export const wordsOfFolder = (name: string): string => {
  const words = plainLine(name);
  return namesNothing(name) || namesNothing(words) || photoName.test(stemOf(words)) || !/\p{L}{2}/u.test(words)
    ? ''
    : words;
};

/** Words that can be read, and nothing else: no other bytes, no control characters but line ends and tabs. */
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
 * The first of these text files that is short and plain UTF-8; null when none is. It is data of somebody: nothing here acts
 * on what it says. What lies outside of what was given, or cannot be read, is passed over.
 */
export const readFolderText = async (files: readonly PhotoFile[]): Promise<FolderText | null> => {
  for (const { path, name, root } of files) {
    const text = await readText(path, root === null ? null : [root]).catch(() => null);
    if (text !== null) return { name: plainLine(name), text };
  }
  return null;
};
