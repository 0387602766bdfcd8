import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** These folders use the times of the `Clock` port. Kitchen, practice and renderer have their own clocks. */
const clockUsers = ['core', 'bridge', 'cli', 'headless', 'host', 'main'].map((folder) => `src/${folder}/**/*.ts`);

const wallTimeRules = [
  {
    selector:
      "MemberExpression[object.name='Date'][property.name='now'], MemberExpression[object.name='performance'][property.name='now'], MemberExpression[object.name='process'][property.name='hrtime'], NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Take the time from the Clock port: `now` for people, `elapsedMs` for ages, deadlines and waits.',
  },
  {
    selector: "BinaryExpression[operator=/^(-|<|<=|>|>=)$/] > CallExpression[callee.property.name='now']",
    message: 'The wall clock can be set at any moment: measure by `clock.elapsedMs` or by the ages of stored times.',
  },
];

export default tseslint.config(
  { ignores: ['out/**', 'node_modules/**', 'artefacts/**', '.tmp/**'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/require-await': 'off',
      'no-control-regex': 'off',
    },
  },
  {
    // A function fits on a screen. A component also contains its markup, so it may be longer.
    files: ['src/**/*.{ts,tsx}'],
    rules: {
      'max-lines': ['error', { max: 400 }],
      'max-params': ['error', 4],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // On Windows, a file that another program has open cannot be renamed or removed, and Node's real paths differ in case
    // from those of the system.
    files: ['src/**/*.ts'],
    ignores: ['src/disk/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: ['node:fs', 'node:fs/promises'].flatMap((name) => [
            {
              name,
              importNames: ['rename', 'renameSync', 'unlink', 'unlinkSync', 'rm', 'rmSync'],
              message: 'Use src/disk/changeFiles.ts.',
            },
            { name, importNames: ['realpath', 'realpathSync'], message: 'Use src/disk/realPath.ts.' },
          ]),
        },
      ],
    },
  },
  {
    files: ['src/**/*.tsx'],
    rules: { 'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ['src/renderer/**/*.tsx'],
    ignores: ['src/renderer/src/components/CorePicture.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXOpeningElement[name.name='img']",
          message: 'Use CorePicture: the host decides the address of a picture.',
        },
      ],
    },
  },
  {
    files: clockUsers,
    // These files are the port itself, and the comparison of both clocks that detects a changed wall clock.
    ignores: ['src/core/base/clock.ts', 'src/main/system/watchMachine.ts'],
    rules: { 'no-restricted-syntax': ['error', ...wallTimeRules] },
  },
  {
    files: ['src/core/storage/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...wallTimeRules,
        {
          selector:
            "CallExpression[callee.property.name=/^(safeParse|parse)$/] > MemberExpression > CallExpression[callee.object.name='z'][callee.property.name=/^(array|object|record|union)$/]",
          message: 'Create the schema once, because each creation walks all its parts.',
        },
      ],
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'Buffer',
          'URL',
          'require',
          'module',
          'exports',
          '__dirname',
          '__filename',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'setImmediate',
          'queueMicrotask',
          'document',
          'window',
          'globalThis',
          'structuredClone',
          'fetch',
          'performance',
          'AbortController',
          'TextDecoder',
          'TextEncoder',
          'Response',
          'location',
          'WebSocket',
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: { 'no-empty': ['error', { allowEmptyCatch: true }] },
  },
);
