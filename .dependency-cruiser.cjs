// Who may import whom: one row a folder of src/. What is not in its row may not be imported.
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

/** What a folder may import besides, when only types are imported: they are gone when the code runs. */
const mayImportTypes = { ipc: ['core'], preload: ['ipc'], renderer: ['core'], cli: ['isolated'] };

/** Files of a folder of which only types are imported otherwise. */
const mayImportFiles = { ipc: ['core/base/settings.ts'] };

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
      forbid(`${folder}-imports-only-its-own`, from, { path: others(never) }, `src/${folder} may not know this.`),
    );
  }
  if (types.length > 0) {
    const pathNot = (mayImportFiles[folder] ?? []).map((file) => `^src/${file}$`);
    const to = { path: others(types), pathNot, dependencyTypesNot: ['type-only'] };
    rules.push(forbid(`${folder}-imports-only-types`, from, to, `src/${folder} may know only types of this.`));
  }
  return rules;
});

/** The layers of the core, the lowest first: each may import only those before it, of types as well. */
const layers = [
  'base',
  'storage',
  'service',
  'photos',
  'listings',
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
      'What needs something of a later layer gets it as a function in its context.',
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
      'Only main and preload know Electron.',
    ),
    forbid(
      'core-starts-no-process',
      { path: '^src/core/' },
      { path: '^src/isolated/(?!(processClient|releasableBuffer)[.]ts$)' },
      'The core talks to processes that its host has started.',
    ),
    forbid(
      'express-in-servers-only',
      { path: notServers },
      { path: '(^|/)node_modules/(@types/)?(express|ws|helmet)/' },
      'Only servers serve.',
    ),
    forbid(
      'contract-knows-zod-only',
      { path: '^src/contract/' },
      { path: '(^|/)node_modules/(?!zod/)' },
      'The contract is data.',
    ),
    forbid(
      'no-rings',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
      'Two files that need each other are one.',
    ),
    forbid(
      'nothing-missing',
      { path: '^(src|test)/' },
      { couldNotResolve: true, path: '^\\.' },
      'The file is not there.',
    ),
    forbid('tests-stay-outside', { path: '^src/' }, { path: '^test/' }, 'The app does not know its tests.'),
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
