import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleScript } from './bundle.ts';

const ownScript = /<script type="module"[^>]* src="([^"]+)"[^>]*><\/script>/;

const readPage = (outDir: string): string => readFileSync(join(outDir, 'index.html'), 'utf8');

/** Returns links that load nothing, so that the app finds its files linked: the harness already contains them. */
const listLoadedLinks = (outDir: string): string =>
  readdirSync(join(outDir, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => `<link rel="bundled" href="./assets/${name}">`)
    .join('');

/** Returns the built app's page with the harness instead of its own scripts. */
export const buildHarnessPage = (outDir: string): string =>
  readPage(outDir)
    .replace(ownScript, () => `<script defer src="/harness.js"></script>${listLoadedLinks(outDir)}`)
    .replace(/<link rel="modulepreload"[^>]*>/g, '');

/**
 * Returns the harness with the fake companion and the built app in one function, which is compiled once for all starts of
 * the app in a page.
 */
export const buildHarnessScript = async (outDir: string, fake: string): Promise<string> => {
  const [, entry] = ownScript.exec(readPage(outDir)) ?? [];
  if (entry === undefined) throw new Error('The page of the app names no script.');
  const [harness, app] = await Promise.all([
    bundleScript(join(import.meta.dirname, 'harness.ts'), 'harness'),
    bundleScript(join(outDir, entry), 'app', {
      'import.meta.url': 'globalThis.assetsUrl',
      'import.meta.resolve': 'undefined',
    }),
  ]);
  // In parentheses, the function is compiled at once; otherwise the engine would parse all of it twice.
  return `${harness}\nwindow.runApp = (() => {\n'use strict';\n${fake}\n${app}\n});\nwindow.harness.begin();`;
};
