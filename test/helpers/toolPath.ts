import { existsSync } from 'node:fs';
import { join } from 'node:path';

const programs = {
  conformance: '@modelcontextprotocol/conformance/dist/index.js',
  inspector: '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  prism: '@stoplight/prism-cli/dist/index.js',
  spectral: '@stoplight/spectral-cli/dist/index.js',
} as const;

/** Returns the path of a program in `tools/`. `npm test` installs them for a test that imports this. */
export const toolPath = (name: keyof typeof programs): string => {
  const path = join(import.meta.dirname, '..', '..', 'tools', 'node_modules', programs[name]);
  if (!existsSync(path)) throw new Error(`This test runs ${name}, which is not installed: run "npm ci" in tools.`);
  return path;
};
