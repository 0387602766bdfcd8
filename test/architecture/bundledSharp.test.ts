import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleSharp } from '../../scripts/bundleSharp.ts';

const packages = join(import.meta.dirname, '..', '..', 'node_modules');
const scripts = [
  'sharp/dist/sharp.mjs',
  'sharp/dist/utility.mjs',
  'sharp/dist/libvips.mjs',
  'detect-libc/lib/detect-libc.js',
];
const bundleModule = (name: string, code = readFileSync(join(packages, name), 'utf8')): string =>
  bundleSharp.transform(code, `/somewhere/node_modules/${name}`)?.code ?? '';

test.each(scripts)('the bundled %s imports no child process or crypto module', (name) => {
  expect(bundleModule(name)).not.toMatch(/(from|require\()\s*'(node:)?(child_process|crypto)'/);
  expect(bundleModule(name)).not.toContain('= createRequire(import.meta.url);');
});

test.each(scripts)('the build fails if %s has changed incompatibly', (name) => {
  expect(() => bundleModule(name, 'another')).toThrow('any more');
});
