#!/usr/bin/env node
// Writes src/i18n/resources.d.ts, the English texts as types, from their JSON: `npm run texts`, or `node scripts/run.mjs
// texts [FOLDER]` to write it elsewhere. TypeScript reads strings from JSON as `string`, and places are typed by the text.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as prettier from 'prettier';
import { inRoot } from './launcher/root.mjs';

const folder = process.argv[2] === undefined ? inRoot('src/i18n') : resolve(process.argv[2]);
const path = join(folder, 'resources.d.ts');
const textsOf = (name) => readFile(inRoot('src/i18n/locales/en', `${name}.json`), 'utf8');
const style = await prettier.resolveConfig(inRoot('src/i18n/message.ts'));
const types = `// Made from locales/en by "npm run texts".
export interface Resources {
  core: ${await textsOf('core')};
  screens: ${await textsOf('screens')};
}
`;
await writeFile(path, await prettier.format(types, { ...style, parser: 'typescript' }));
