// `npm run sbom`: what is in the app as a CycloneDX document, on the standard output. npm's own leaves out what is bundled.
import { readFileSync } from 'node:fs';
import { inRoot } from './launcher/root.mjs';
import { packagesInApp } from './licencesInApp.mjs';

const { name, version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

const purlOf = (one) => `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`;

/** The digest of the lock file, which is in base64, as CycloneDX has it. */
const hashesOf = ({ integrity = '' }) => {
  const [, digest] = /^sha512-(\S+)$/.exec(integrity) ?? [];
  return digest === undefined ? [] : [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }];
};

/** Scanners know Node by this name alone: they find no weakness of a package that only carries it. */
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

// One version of a package may be in more than one place.
const unique = [...new Map(components.map((one) => [one.purl, one])).values()];

const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { type: 'application', 'bom-ref': name, name, version } },
  components: unique,
};
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
