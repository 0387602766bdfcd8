import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';

const ownScript = /<script type="module"[^>]* src="([^"]+)"[^>]*><\/script>/;

const pageOf = (outDir: string): string => readFileSync(join(outDir, 'index.html'), 'utf8');

/** Returns links that load nothing, so that the app finds its files linked: the stage already contains them. */
const present = (outDir: string): string =>
  readdirSync(join(outDir, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => `<link rel="bundled" href="./assets/${name}">`)
    .join('');

/** Returns the built app's page with the stage instead of its own scripts. */
export const stagePage = (outDir: string): string =>
  pageOf(outDir)
    .replace(ownScript, () => `<script defer src="/stage.js"></script>${present(outDir)}`)
    .replace(/<link rel="modulepreload"[^>]*>/g, '');

/**
 * Returns the stage with the fake companion and the built app in one function, which is compiled once for all starts of
 * the app in a page.
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
  // In parentheses, the function is compiled at once; otherwise the engine would parse all of it twice.
  return `${stage}\nwindow.runApp = (() => {\n'use strict';\n${fake}\n${app}\n});\nwindow.stage.begin();`;
};
