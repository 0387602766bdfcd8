import { createHash } from 'node:crypto';
import * as z from 'zod';

/**
 * `begun`: nobody is let in but who is known here. `let`: an assistant's rights are in force where the database has this
 * stamp. `gone`: what was revoked, refused or used up never comes back. `held`: no rights are in force until the person
 * has looked at them.
 */
export const accessLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begun'), known: z.array(z.string()) }),
  z.object({ kind: z.literal('let'), id: z.string(), stamp: z.string() }),
  z.object({ kind: z.literal('gone'), id: z.string() }),
  z.object({ kind: z.literal('held'), at: z.int() }),
]);
export type AccessLine = z.infer<typeof accessLine>;

/** The check sum of what stands before the first line. */
export const sumBefore = '0'.repeat(16);
const sumOf = (before: string, text: string): string =>
  createHash('sha256').update(`${before} ${text}`).digest('hex').slice(0, sumBefore.length);

/** Lines as they are written after one with that check sum, and the check sum of the last. */
export const written = (before: string, lines: readonly AccessLine[]): { text: string; sum: string } => {
  let [text, sum] = ['', before];
  for (const line of lines) {
    const json = JSON.stringify(line);
    sum = sumOf(sum, json);
    text += `${sum} ${json}\n`;
  }
  return { text, sum };
};

const parsed = (json: string): AccessLine | null => {
  try {
    return accessLine.parse(JSON.parse(json));
  } catch {
    return null;
  }
};

/** What a text of lines says, its last check sum and its length. Of a damaged one only what is gone is believed. */
export type ReadAccess = { isDamaged: boolean; lines: AccessLine[]; sum: string; bytes: number };

/** Reads lines, each with the check sum that follows from all before it. */
export const readLines = (text: string): ReadAccess => {
  const rows = text.split('\n');
  const torn = rows.pop();
  const lines: AccessLine[] = [];
  let sum = sumBefore;
  for (const row of rows) {
    const json = row.slice(sumBefore.length + 1);
    const line = parsed(json);
    if (line === null || row !== `${sumOf(sum, json)} ${json}`) return damaged(rows);
    lines.push(line);
    sum = sumOf(sum, json);
  }
  // Nobody knows what stood in a line that is not whole, and whether it was answered.
  if (torn !== '' || lines[0]?.kind !== 'begun') return damaged(rows);
  return { isDamaged: false, lines, sum, bytes: Buffer.byteLength(text) };
};

const damaged = (rows: readonly string[]): ReadAccess => {
  const lines = rows.map((row) => parsed(row.slice(sumBefore.length + 1)));
  return { isDamaged: true, lines: lines.filter((line) => line?.kind === 'gone'), sum: sumBefore, bytes: 0 };
};
