// `npm run sbom` prints a CycloneDX document of the app. The document of npm itself omits bundled packages.
import { readFileSync } from 'node:fs';
import { inRoot } from './launcher/root.mjs';
import { packagesInApp } from './licencesInApp.mjs';

const { name, version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

const purlOf = (one) => `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`;

/** Converts the base64 digest of the lock file to the format of CycloneDX. */
const hashesOf = ({ integrity = '' }) => {
  const [, digest] = /^sha512-(\S+)$/.exec(integrity) ?? [];
  return digest === undefined ? [] : [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }];
};

/** Scanners find vulnerabilities of Node only by this name, not by the name of a package that contains it. */
const cpeOf = ({ name, version }) =>
  name.startsWith('node-linux-') ? { cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*` } : {};

const components = packagesInApp().map((one) => ({
  type: 'library',
  'bom-ref': purlOf(one),
  name: one.name,
  version: one.version,
  purl: purlOf(one),
  ...cpeOf(one),
  licenses: [{ expression: one.licence }],
  hashes: hashesOf(one),
}));

// The same version of a package can be installed in several folders.
const unique = [...new Map(components.map((one) => [one.purl, one])).values()];

const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { type: 'application', 'bom-ref': name, name, version } },
  components: unique,
};
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
