import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';

const ownScript = /<script type="module"[^>]* src="([^"]+)"[^>]*><\/script>/;

const pageOf = (outDir: string): string => readFileSync(join(outDir, 'index.html'), 'utf8');

/** Links that load nothing: to the app, a file that has a link in the page is there, as the stage has what is in it. */
const present = (outDir: string): string =>
  readdirSync(join(outDir, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => `<link rel="bundled" href="./assets/${name}">`)
    .join('');

/** The built app's page with the stage in place of its own scripts. */
export const stagePage = (outDir: string): string =>
  pageOf(outDir)
    .replace(ownScript, () => `<script defer src="/stage.js"></script>${present(outDir)}`)
    .replace(/<link rel="modulepreload"[^>]*>/g, '');

/**
 * The stage with the fake companion and the built app in one function: what it holds is compiled when it is first wanted, and
 * then for all times that a page shows the app.
 */
export const stageScript = async (outDir: string, fake: string): Promise<string> => {
  const [, entry] = ownScript.exec(pageOf(outDir)) ?? [];
  if (entry === undefined) throw new Error('The page of the app names no script.');
  const [stage, app] = await Promise.all([
    bundle(join(import.meta.dirname, 'stage.ts'), 'stage'),
    bundle(join(outDir, entry), 'app', {
      'import.meta.url': 'globalThis.assetsUrl',
      'import.meta.resolve': 'undefined',
    }),
  ]);
  // In brackets, it is compiled at once; otherwise all of it would be read once more before.
  return `${stage}\nwindow.runApp = (() => {\n'use strict';\n${fake}\n${app}\n});\nwindow.stage.begin();`;
};
