#!/usr/bin/env node
// Generates src/i18n/coreParams.d.ts and src/i18n/screensParams.d.ts, the placeholders of the English texts: `npm run texts`,
// or `node scripts/run.mjs texts FOLDER` for another folder. TypeScript infers only the keys from JSON, not the placeholders.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as prettier from 'prettier';
import { inRoot } from './launcher/root.mjs';

const folder = process.argv[2] === undefined ? inRoot('src/i18n') : resolve(process.argv[2]);
const style = await prettier.resolveConfig(inRoot('src/i18n/message.ts'));

/** Lists every text of a catalogue with its path, such as `area.name`. */
const flat = (tree, path = '') =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value]] : flat(value, `${path}${key}.`),
  );

const textsOf = async (part) => flat(JSON.parse(await readFile(inRoot(`src/i18n/locales/en/${part}.json`), 'utf8')));
const placesIn = (text) => [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, place]) => place))].toSorted();

/** Lists the placeholders of each core message. A message with plural forms has the placeholders of all forms and `count`. */
const coreParams = (texts) => {
  const plural = /_(one|other)$/;
  const places = new Map();
  for (const [key, text] of texts) {
    const name = key.replace(plural, '');
    places.set(name, new Set([...(places.get(name) ?? []), ...placesIn(text), ...(plural.test(key) ? ['count'] : [])]));
  }
  return [...places].map(([key, names]) => [key, [...names].map((name) => `'${name}'`).join(' | ')]);
};

const screensParams = (texts) =>
  texts
    .map(([key, text]) => [key, placesIn(text).map((place) => `{{${place}}}`)])
    .map(([key, all]) => [key, all.length > 0 ? `'${all.join('')}'` : '']);

const write = async (name, about, rows) => {
  const lines = rows.filter(([, type]) => type !== '').map(([key, type]) => `  '${key}': ${type};`);
  const types = `// Made from locales/en by "npm run texts".\n/** ${about} */\nexport interface ${name} {\n${lines.join('\n')}\n}\n`;
  const file = `${name.charAt(0).toLowerCase()}${name.slice(1)}.d.ts`;
  await writeFile(join(folder, file), await prettier.format(types, { ...style, parser: 'typescript' }));
};

await write(
  'CoreParams',
  'The names of the placeholders in each message of the core, by key.',
  coreParams(await textsOf('core')),
);
await write(
  'ScreensParams',
  'The placeholders of each text of the screens, by key.',
  screensParams(await textsOf('screens')),
);
