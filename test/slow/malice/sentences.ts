import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formRefusals, parseServiceSentence } from '../../../src/contract/index.ts';
import { core } from '../../../src/i18n/english.ts';
import { mark } from './spoil.ts';

const src = join(import.meta.dirname, '..', '..', '..', 'src');

const toPattern = (text: string, places: RegExp): string =>
  text
    .split(places)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*');

const listTexts = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(listTexts)
      : [];

/** The sentences in the code of the bridge and in the interface's schemas. */
const literals = ['bridge', 'contract'].flatMap((folder) =>
  readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(join(src, folder, name), 'utf8').matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.)*?\.)\1/g),
    ])
    .map(([, , text = '']) => text.replaceAll("\\'", "'")),
);

const ours = new RegExp(
  `^(?:${[...listTexts(core).map((text) => toPattern(text, /\{\{\w+\}\}/)), ...literals.map((text) => toPattern(text, /\$\{[^}]*\}/))].filter((one) => one.length > 8).join('|')})$`,
);
/** Messages of the schema library about invalid input. */
const ofInput = /^(The (argument|input) .*: |\S+ cannot be used: )?(Invalid|Too|Unrecognized|Expected) [^\n]{0,300}$/;
/** Internals of the program that no sentence may show. */
const insides = /\[object|\bundefined\b|\bNaN\b|Maximum call|Cannot read|is not a function|\bat \S+ \(|node:/;

/** Returns a description of what is wrong with a refusal; null if nothing is. */
export const wrongRefusal = (code: unknown, sentence: unknown): string | null => {
  if (typeof code !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(code))
    return `the code ${JSON.stringify(code)?.slice(0, 100)}`;
  if (typeof sentence !== 'string' || parseServiceSentence(sentence) !== sentence)
    return `an invalid sentence: ${JSON.stringify(sentence)?.slice(0, 100)}`;
  // A sentence of the service can say anything.
  if (sentence.startsWith(mark)) return null;
  if ((code.startsWith('INVALID_') || formRefusals.has(code)) && ofInput.test(sentence)) return null;
  if (insides.test(sentence)) return `internals of the program: ${sentence.slice(0, 200)}`;
  return ours.test(sentence) ? null : `an unknown sentence: ${code} ${sentence.slice(0, 200)}`;
};
