import { normaliseSpaces } from '../plainText.ts';
import patterns from './patterns.json' with { type: 'json' };
import { colourNames, listEnglishNames, materialNames, wordPatterns } from './vocabulary.ts';

/** A rule has a pattern and the value of the detail. Without a value, the detail is the matched text. */
type DetailRules = Readonly<Record<string, readonly string[][]>>;

const findDetails = (text: string, rules: DetailRules, maxValues?: number): [string, string][] =>
  Object.entries(rules).flatMap(([detail, rows]): [string, string][] => {
    const values = rows.flatMap(([source = '', name]) => {
      const found = new RegExp(source, 'iu').exec(text);
      return found ? [name ?? normaliseSpaces(found[1] ?? found[0])] : [];
    });
    return values.length > 0 ? [[detail, values.slice(0, maxValues).join(', ')]] : [];
  });

/** A word of letters and digits, such as WH-1000XM4, NL-200 or EOS-80D. `notModel` excludes units. */
const modelWord =
  /(?<![\p{L}\p{N}/-])(?=[A-Z0-9-]{1,20}(?![\p{L}\p{N}/-]))(?=[A-Z-]*\d)([A-Z][A-Z0-9-]{1,19})(?![\p{L}\p{N}/-])/gu;
const notModel =
  /^(?:\d+[A-Z]{1,2}|[A-Z]\d|(?:EU|UK|US|PS|MP|USB|IP|ISBN|EAN|UPC|RPM|DVD|CD|MP3|MP4|HD|UHD|IPX|V|BT|TYPE)-?\d.*)$/u;

const findModel = (text: string): string | undefined => {
  const labelled = wordPatterns.model.exec(text)?.[1] ?? '';
  if (/\d/.test(labelled)) return labelled;
  return text.match(modelWord)?.find((word) => word.length >= 3 && !notModel.test(word));
};

/** A size without a label. It needs capitals, because "us" is also a word. */
const unlabelledSize = /(?<![\p{L}\p{N}])(?:EU|UK|US)\s?\d{1,2}(?:[.,]5)?(?![\p{L}\p{N}])/u;

type Detail = 'model' | keyof typeof patterns.firstDetails | keyof typeof patterns.allDetails;
export type Details = Partial<Record<Detail, string>> & { colours: string[]; materials: string[] };

export const parseDetails = (text: string): Details => {
  const model = findModel(text);
  const details = [...findDetails(text, patterns.firstDetails, 1), ...findDetails(text, patterns.allDetails)];
  const found: Partial<Record<Detail, string>> = Object.fromEntries(details);
  const size = found.size ?? unlabelledSize.exec(text)?.[0];
  return {
    ...found,
    ...(size && { size: normaliseSpaces(size) }),
    ...(model && { model }),
    ...(found.storage && { storage: found.storage.toUpperCase() }),
    ...(found.age && { age: `${found.age}+` }),
    colours: listEnglishNames(text, colourNames),
    materials: listEnglishNames(text, materialNames),
  };
};
