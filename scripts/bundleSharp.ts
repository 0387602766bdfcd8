/**
 * sharp's scripts, without its native part: two threads load them before the first photo, and to find and read eighty small
 * files takes each of them a quarter of the time that decoding it does.
 */
export const sharpScripts = ['sharp', '@img/colour', 'detect-libc', 'semver'];

/** What loads a part of Node when it is called, which it is only where sharp was not installed as it should be. */
const lazy = (module: string, name: string): string =>
  `(...args) => process.getBuiltinModule('${module}').${name}(...args)`;
/** sharp looks for its native part from where it lies; bundled, it lies somewhere else than its package. */
const fromBundle = 'createRequire(import.meta.url)';
const fromPackage = "createRequire(createRequire(import.meta.url).resolve('sharp'))";
const lazyChild = `{ exec: ${lazy('child_process', 'exec')}, execSync: ${lazy('child_process', 'execSync')} }`;

/** What is written otherwise in files of packages, by the ends of their paths. */
const rewritten: Readonly<Record<string, [from: string, to: string][]>> = {
  'sharp/dist/sharp.mjs': [[fromBundle, fromPackage]],
  'sharp/dist/utility.mjs': [[fromBundle, fromPackage]],
  'sharp/dist/libvips.mjs': [
    ["import { spawnSync } from 'node:child_process'", `const spawnSync = ${lazy('child_process', 'spawnSync')}`],
    ["import { createHash } from 'node:crypto'", `const createHash = ${lazy('crypto', 'createHash')}`],
  ],
  'detect-libc/lib/detect-libc.js': [["require('child_process')", lazyChild]],
};

/** A script of sharp as it is bundled. Throws when it is not what it was when this was written. */
const rewrite = (code: string, path: string): string => {
  const changes = Object.entries(rewritten).find(([end]) => path.endsWith(`/node_modules/${end}`))?.[1] ?? [];
  return changes.reduce((before, [from, to]) => {
    if (before.split(from).length !== 2) throw new Error(`There is no "${from}" in ${path} any more.`);
    return before.replace(from, () => to);
  }, code);
};

/** For Vite: bundles sharp so that it still finds its native part, and loads no part of Node that it does not use. */
export const bundleSharp = {
  name: 'bundle-sharp',
  transform: (code: string, id: string) =>
    /\/node_modules\/(sharp|detect-libc)\//.test(id) ? { code: rewrite(code, id), map: null } : null,
};
