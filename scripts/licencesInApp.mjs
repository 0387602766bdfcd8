import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { inRoot } from './launcher/root.mjs';

const importing = /(?:from|import)\s*\(?\s*['"]([^'".][^'"]*)['"]/g;

const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Packages that the sources name, whichever list of package.json they are in: most are bundled into the app. */
const namedInSources = () => {
  const files = readdirSync(inRoot('src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(ts|tsx|css)$/.test(name),
  );
  const texts = files.map((name) => readFileSync(inRoot(join('src', name)), 'utf8'));
  const names = texts.flatMap((text) => [...text.matchAll(importing)].map(([, name]) => packageOf(name)));
  return [...new Set(names)].filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
};

/** Node's own way to a package: the folder beside who wants it, then those above. */
const placeOf = (packages, from, name) => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (at === '') return null;
  }
};

/**
 * Every package in the app with its version and licence, sorted by name.
 * @returns {{ name: string, version: string, licence: string }[]}
 */
const packagesInApp = () => {
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
  const { dependencies, devDependencies, optionalDependencies } = packages[''];
  const own = { ...dependencies, ...devDependencies, ...optionalDependencies };
  const runtime = Object.keys(dependencies ?? {});
  const line = [...new Set([...namedInSources().filter((name) => own[name]), ...runtime])].map((name) =>
    placeOf(packages, '', name),
  );
  const seen = new Set();
  for (let place = line.shift(); place !== undefined; place = line.shift()) {
    if (place === null || seen.has(place)) continue;
    seen.add(place);
    const { dependencies = {}, optionalDependencies = {} } = packages[place];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      line.push(placeOf(packages, place, name));
  }
  return [...seen]
    .map((place) => ({
      // A package that is installed under another name says its own.
      name: packages[place].name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: packages[place].version,
      licence: packages[place].license ?? 'unknown',
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
};

/**
 * Every package whose code is in the app, with its version and licence, as Markdown.
 * @returns {string}
 */
export const licencesText = () =>
  [
    '# Licences of what is in the app',
    '',
    'Made by `npm run docs` from the lock file: every package that the sources name, and what those need.',
    '',
    'libheif (in `libheif-js`) and libvips (in `@img/sharp-*`) are under the LGPL. They are packages of their own, used',
    'unchanged through their public interface: building the app from its sources with other builds of them replaces them.',
    'The full texts lie in the packages. `npm run sbom` prints the same as a CycloneDX document.',
    '',
    '| package | version | licence |',
    '| --- | --- | --- |',
    ...packagesInApp().map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`),
    '',
  ].join('\n');
