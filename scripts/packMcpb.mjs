// Packs the MCP tools as one file that desktop clients install: `node scripts/run.mjs mcpb [FILE]`. It downloads nothing.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { packExtension } from '@anthropic-ai/mcpb';
import { build } from 'vite';
import { inRoot } from './launcher/root.mjs';

const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

const bundle = (outDir) =>
  build({
    configFile: false,
    root: inRoot(),
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: inRoot('src/cli/mcp/bundled.ts'),
      outDir,
      target: 'node20',
      rollupOptions: { external: ['keytar'], output: { format: 'es', entryFileNames: 'index.js' } },
    },
  });

/** The keychain files of all systems of desktop clients. Without a keychain the token is lost when the client exits. */
const keychainFiles = /^(package\.json|LICENSE\.md|lib(\/.*)?|prebuilds(\/(darwin|linux|win32)-(x64|arm64)(\/.*)?)?|)$/;
const addKeychain = async (folder) => {
  const from = inRoot('node_modules/keytar');
  if (!existsSync(from)) return;
  const isWanted = (path) => keychainFiles.test(relative(from, path).replaceAll('\\', '/'));
  await cp(from, join(folder, 'node_modules/keytar'), { recursive: true, filter: isWanted });
};

const pack = async (outputPath) => {
  const folder = await mkdtemp(join(tmpdir(), 'mcpb-'));
  try {
    await bundle(join(folder, 'server'));
    await writeFile(join(folder, 'server', 'package.json'), '{ "type": "module" }\n');
    await cp(inRoot('resources/mcpb/manifest.json'), join(folder, 'manifest.json'));
    await cp(inRoot('resources/installer/icon.png'), join(folder, 'icon.png'));
    await cp(inRoot('LICENSE'), join(folder, 'LICENSE'));
    await addKeychain(folder);
    await mkdir(dirname(outputPath), { recursive: true });
    return await packExtension({ extensionPath: folder, outputPath, silent: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const file = resolve(
  process.env['INIT_CWD'] ?? '.',
  process.argv[2] ?? inRoot(`out/listing-companion-${version}.mcpb`),
);
const packed = await pack(file);
console.log(packed ? file : 'The bundle could not be packed.');
process.exitCode = packed ? 0 : 1;
