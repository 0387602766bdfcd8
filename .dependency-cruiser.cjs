// The folders that each folder of src/ may import.
const mayImport = {
  i18n: [],
  text: [],
  contract: [],
  loopback: [],
  disk: [],
  isolated: ['disk'],
  photoContract: ['i18n'],
  kitchen: ['isolated', 'photoContract'],
  core: ['contract', 'i18n', 'text', 'photoContract', 'isolated', 'disk'],
  practice: ['contract', 'text', 'loopback', 'isolated', 'disk'],
  bridge: ['contract', 'core', 'loopback', 'disk'],
  ipc: ['contract', 'i18n', 'photoContract'],
  host: ['i18n', 'contract', 'text', 'core', 'bridge', 'practice', 'ipc', 'isolated', 'loopback', 'disk'],
  preload: [],
  renderer: ['ipc', 'contract', 'i18n', 'text'],
  headless: ['i18n', 'contract', 'text', 'core', 'bridge', 'practice', 'ipc', 'host', 'loopback', 'disk'],
  cli: ['contract', 'core', 'bridge', 'host', 'i18n', 'photoContract', 'disk'],
  main: [
    'i18n',
    'contract',
    'text',
    'core',
    'bridge',
    'practice',
    'ipc',
    'host',
    'headless',
    'isolated',
    'cli',
    'disk',
  ],
};

/** The folders of which a folder may import types, which do not exist at run time. */
const mayImportTypes = { ipc: ['core'], preload: ['ipc'], renderer: ['core'], cli: ['isolated'] };

/** Exceptions: files whose code may be imported from a folder in `mayImportTypes`. */
const mayImportFiles = {
  ipc: ['core/base/settings.ts', 'core/base/shelfFields.ts'],
  renderer: ['core/base/rotateEdits.ts'],
};

const folders = Object.keys(mayImport);
const others = (names) => `^src/(${names.join('|')})/`;
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

const folderRules = folders.flatMap((folder) => {
  const types = mayImportTypes[folder] ?? [];
  const never = folders.filter((other) => other !== folder && ![...mayImport[folder], ...types].includes(other));
  const from = { path: `^src/${folder}/` };
  const rules = [];
  if (never.length > 0) {
    rules.push(
      forbid(
        `${folder}-imports-only-its-own`,
        from,
        { path: others(never) },
        `src/${folder} must not import this folder.`,
      ),
    );
  }
  if (types.length > 0) {
    const pathNot = (mayImportFiles[folder] ?? []).map((file) => `^src/${file}$`);
    const to = { path: others(types), pathNot, dependencyTypesNot: ['type-only'] };
    rules.push(forbid(`${folder}-imports-only-types`, from, to, `src/${folder} may import only types of this folder.`));
  }
  return rules;
});

/** The layers of the core, lowest first. Each may import only earlier layers, even for types. */
const layers = [
  'base',
  'presence',
  'storage',
  'service',
  'photos',
  'listings',
  'shelf',
  'items',
  'approvals',
  'assistants',
  'notifications',
  'companion',
];
const layerRules = layers
  .slice(0, -1)
  .map((layer, at) =>
    forbid(
      `core-${layer}-knows-lower-layers-only`,
      { path: `^src/core/${layer}/` },
      { path: `^src/core/(${layers.slice(at + 1).join('|')})/` },
      'Code that needs something of a later layer gets it as a function in its context.',
    ),
  );

const notHosts = '^src/(?!main/|preload/)';
const notServers = '^src/(contract|core|ipc|preload|renderer)/';

module.exports = {
  forbidden: [
    ...folderRules,
    ...layerRules,
    forbid(
      'electron-in-its-hosts-only',
      { path: notHosts },
      { path: '(^|node_modules/)electron($|/)' },
      'Only main and preload import Electron.',
    ),
    forbid(
      'core-starts-no-process',
      { path: '^src/core/' },
      { path: '^src/isolated/(?!(processClient|releasableBuffer)[.]ts$)' },
      'The core uses only processes that its host has started.',
    ),
    forbid(
      'express-in-servers-only',
      { path: notServers },
      { path: '(^|/)node_modules/(@types/)?(express|ws|helmet)/' },
      'Only servers import server packages.',
    ),
    forbid(
      'contract-knows-zod-only',
      { path: '^src/contract/' },
      { path: '(^|/)node_modules/(?!zod/)' },
      'The contract is data and imports only zod.',
    ),
    forbid(
      'no-rings',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
      'Merge two files that need each other.',
    ),
    forbid(
      'nothing-missing',
      { path: '^(src|test)/' },
      { couldNotResolve: true, path: '^\\.' },
      'The imported file does not exist.',
    ),
    forbid('tests-stay-outside', { path: '^src/' }, { path: '^test/' }, 'The app must not import its tests.'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^test/electron-standin/dist' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
