import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

type Launcher = {
  argsOfRunners: (args: readonly string[]) => Record<'vitest' | 'playwright', readonly string[] | null>;
  wholeRunFiles: () => string[];
};

const path = join(import.meta.dirname, '..', '..', '..', 'scripts', 'launcher', 'testFiles.mjs');
const { argsOfRunners, wholeRunFiles } = (await import(pathToFileURL(path).href)) as Launcher;

const unit = 'test/unit/text/csv.test.ts';
const window = 'test/e2e/screens/find.spec.ts';

test.each([
  { args: [], vitest: [], playwright: [] },
  { args: [unit], vitest: [unit], playwright: null },
  { args: ['csv', '-t', 'a part of a name'], vitest: ['csv', '-t', 'a part of a name'], playwright: null },
  { args: [window, '-g', 'a part of a name'], vitest: null, playwright: [window, '-g', 'a part of a name'] },
  { args: [unit, window], vitest: [unit], playwright: [window] },
  { args: [window, `./${unit}`], vitest: [`./${unit}`], playwright: [window] },
])('the test arguments $args are passed to the runner of each named file', ({ args, ...expected }) => {
  expect(argsOfRunners(args)).toEqual(expected);
});

test('a whole run has the conformance suite, and every matrix that other runs only sample', () => {
  expect(wholeRunFiles()).toEqual(
    expect.arrayContaining([
      'test/slow/conformance/conformance.test.ts',
      'test/slow/crashes.test.ts',
      'test/slow/network/photos.test.ts',
      'test/flows/bridge/mcp/inspector.test.ts',
      'test/flows/approvals/sentIsShown.test.ts',
    ]),
  );
  expect(wholeRunFiles()).not.toContain('test/flows/bridge/mcp/tools.test.ts');
});
