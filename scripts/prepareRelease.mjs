// `node scripts/prepareRelease.mjs TAG [FOLDER]` checks that the tag matches the project's version. With a folder it also checks
// that the release in the folder is complete, writes its checksums and prints the release notes.
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { inRoot } from './launcher/root.mjs';

const readJson = (path) => JSON.parse(readFileSync(inRoot(path), 'utf8'));

/** Files that contain the version: the package, the registry entry and the bundle for desktop clients. */
const versioned = ['package.json', 'server.json', 'resources/mcpb/manifest.json'];

/** The file names of a complete release. The updater reads the last three files. */
const partsOf = (version) => {
  const name = `listing-companion-${version}`;
  return [
    ...[`${name}-linux-x86_64.AppImage`, `${name}-linux-amd64.deb`, `${name}-win-x64.exe`],
    ...[`${name}-mac-universal.dmg`, `${name}-mac-universal.zip`],
    ...[`${name}.tgz`, `${name}.mcpb`, `${name}.cdx.json`],
    ...['latest.yml', 'latest-mac.yml', 'latest-linux.yml'],
  ];
};

const problemsOf = (tag, folder) => {
  const { version } = readJson('package.json');
  const wrong = versioned
    .map((path) => [path, readJson(path).version])
    .filter(([, stated]) => tag !== `v${stated}`)
    .map(([path, stated]) => `The tag is ${tag}, but ${path} says ${stated}.`);
  if (folder === undefined) return wrong;
  const there = readdirSync(folder);
  return [
    ...wrong,
    ...partsOf(version)
      .filter((name) => !there.includes(name))
      .map((name) => `The release lacks ${name}.`),
  ];
};

const digestOf = async (path) => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

const checksums = 'SHA256SUMS';

const writeChecksums = async (folder) => {
  const names = readdirSync(folder).filter((name) => name !== checksums);
  const lines = [];
  for (const name of names.sort()) lines.push(`${await digestOf(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, checksums), lines.join(''));
};

/** Returns the CHANGELOG section of a version, or the section "Unreleased" if the version has none. */
const changesOf = (version) => {
  const parts = readFileSync(inRoot('CHANGELOG.md'), 'utf8').split(/^## /m);
  const found = parts.find((part) => part.startsWith(`[${version}]`)) ?? parts.find((part) => part.startsWith('[Unr'));
  return (found ?? '').split('\n').slice(1).join('\n').trim();
};

const signatureOf = (system, isSigned) =>
  isSigned
    ? `The app for ${system} is signed.`
    : `The app for ${system} is not signed: ${system} warns before it starts it for the first time.`;

const notesOf = (version, { MAC_SIGNED, WINDOWS_SIGNED, GITHUB_REPOSITORY = 'OWNER/REPOSITORY' }) =>
  [
    changesOf(version),
    '## Check what you downloaded',
    `${signatureOf('macOS', MAC_SIGNED === 'true')} ${signatureOf('Windows', WINDOWS_SIGNED === 'true')}`,
    `\`${checksums}\` has the SHA-256 of each file: \`sha256sum --check --ignore-missing ${checksums}\`.`,
    `Where and from what a file was built: \`gh attestation verify FILE --repo ${GITHUB_REPOSITORY}\`.`,
  ].join('\n\n');

const [tag, folder] = process.argv.slice(2);
if (tag === undefined) {
  console.error('Use: node scripts/prepareRelease.mjs TAG [FOLDER]');
  process.exit(2);
}
const problems = problemsOf(tag, folder);
for (const sentence of problems) console.error(sentence);
process.exitCode = problems.length > 0 ? 1 : 0;
if (folder !== undefined && problems.length === 0) {
  await writeChecksums(folder);
  console.log(notesOf(tag.slice(1), process.env));
}
