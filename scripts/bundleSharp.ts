/**
 * The scripts of sharp, without its native part. They are bundled because two threads load them before the first photo, and
 * reading eighty small files takes a quarter of the time of decoding a photo.
 */
export const sharpScripts = ['sharp', '@img/colour', 'detect-libc', 'semver'];

/** Loads a module of Node only when it is called, which happens only if sharp is not installed properly. */
const lazy = (module: string, name: string): string =>
  `(...args) => process.getBuiltinModule('${module}').${name}(...args)`;
/** sharp resolves its native part relative to its own file, so the bundle must resolve it from sharp's package. */
const fromBundle = 'createRequire(import.meta.url)';
const fromPackage = "createRequire(createRequire(import.meta.url).resolve('sharp'))";
const lazyChild = `{ exec: ${lazy('child_process', 'exec')}, execSync: ${lazy('child_process', 'execSync')} }`;

/** Replacements in files of packages, by the end of the file path. */
const rewritten: Readonly<Record<string, [from: string, to: string][]>> = {
  'sharp/dist/sharp.mjs': [[fromBundle, fromPackage]],
  'sharp/dist/utility.mjs': [[fromBundle, fromPackage]],
  'sharp/dist/libvips.mjs': [
    ["import { spawnSync } from 'node:child_process'", `const spawnSync = ${lazy('child_process', 'spawnSync')}`],
    ["import { createHash } from 'node:crypto'", `const createHash = ${lazy('crypto', 'createHash')}`],
  ],
  'detect-libc/lib/detect-libc.js': [["require('child_process')", lazyChild]],
};

/** Rewrites a script of sharp. Throws if a replaced text is missing, because sharp has changed. */
const rewrite = (code: string, path: string): string => {
  const changes = Object.entries(rewritten).find(([end]) => path.endsWith(`/node_modules/${end}`))?.[1] ?? [];
  return changes.reduce((before, [from, to]) => {
    if (before.split(from).length !== 2) throw new Error(`There is no "${from}" in ${path} any more.`);
    return before.replace(from, () => to);
  }, code);
};

/** A Vite plugin that lets bundled sharp find its native part, and loads no unused module of Node. */
export const bundleSharp = {
  name: 'bundle-sharp',
  transform: (code: string, id: string) =>
    /\/node_modules\/(sharp|detect-libc)\//.test(id) ? { code: rewrite(code, id), map: null } : null,
};
