// `npm run mutants -- [ID…]`: removes the guards between a request and its sending one at a time, in a copy of the project,
// and runs the tests that must fail. Prints the first test that fails; exits with 1 if none does, or if a guard is not
// found in its file.
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { allGuards } from './allGuards.ts';
import type { Guard } from './guard.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const copied = ['src', 'test', 'scripts', 'package.json', 'tsconfig.json', 'vitest.config.ts'];
/** A test that hangs without its guard has failed, too; a short timeout suffices. */
const testTimeoutMs = 30_000;

const report = z.object({
  testResults: z.array(
    z.object({
      message: z.string().default(''),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/** The first test that failed; `broken` says why a test file could not run. */
type Run = { failed: string | null; broken: string | null; passed: number };
type Verdict = { guard: Guard; said: string; good: boolean; seconds: number };

/** Copies the project, to remove guards from the copy. */
const makeCopy = async (): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'mutants-'));
  for (const name of copied) await cp(join(root, name), join(copy, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
};

/** Runs tests of a copy up to the first that fails. */
const runTests = async (copy: string, tests: readonly string[], only?: string): Promise<Run> => {
  const file = join(copy, 'report.json');
  await rm(file, { force: true });
  const flags = ['run', ...tests, '--bail=1', '--retry=0', `--testTimeout=${testTimeoutMs}`, '--reporter=json'];
  const args = [...flags, `--outputFile=${file}`, ...(only === undefined ? [] : ['-t', only])];
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  // A sample might not contain the case that needs the guard.
  const env = { ...process.env, COMPANION_MATRICES: 'whole' };
  const child = spawn(process.execPath, [vitest, ...args], { cwd: copy, stdio: 'ignore', env });
  await new Promise((done) => child.once('close', done));
  const { testResults } = report.parse(JSON.parse(await readFile(file, 'utf8')));
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const broken = testResults.find(({ message }) => message !== '')?.message.split('\n')[0] ?? null;
  const failed = all.find(({ status }) => status === 'failed')?.fullName ?? null;
  return { failed, broken, passed: all.filter(({ status }) => status === 'passed').length };
};

/** Returns the text without the guard; null unless the guard occurs exactly once. */
const removeGuard = (text: string, { source, without }: Guard): string | null => {
  const parts = text.split(source);
  return parts.length === 2 ? parts.join(without) : null;
};

/** Removes one guard and reports the first test that fails. */
const judgeGuard = async (copy: string, guard: Guard): Promise<Verdict> => {
  const started = performance.now();
  const createVerdict = (said: string, good: boolean): Verdict => ({
    guard,
    said,
    good,
    seconds: Math.round((performance.now() - started) / 1_000),
  });
  const path = join(copy, guard.file);
  const text = await readFile(path, 'utf8');
  const mutated = removeGuard(text, guard);
  if (mutated === null) return createVerdict(`NOT FOUND in ${guard.file}`, false);
  await writeFile(path, mutated);
  try {
    const { failed, broken, passed } = await runTests(copy, guard.tests, guard.only);
    if (failed !== null) return createVerdict(failed, true);
    if (broken !== null) return createVerdict(`DOES NOT RUN: ${broken}`, false);
    return createVerdict(passed === 0 ? 'NO SUCH TEST' : 'SURVIVED', false);
  } finally {
    await writeFile(path, text);
  }
};

const chooseGuards = (ids: readonly string[]): Guard[] => {
  const unknown = ids.find((id) => !allGuards.some((guard) => guard.id === id));
  if (unknown !== undefined) throw new Error(`There is no guard "${unknown}".`);
  return allGuards.filter(({ id }) => ids.length === 0 || ids.includes(id));
};

/** Throws unless all tests pass with every guard in place; otherwise a failure would prove nothing. */
const checkWhole = async (copy: string, guards: readonly Guard[]): Promise<void> => {
  const { failed, broken } = await runTests(copy, [...new Set(guards.flatMap(({ tests }) => tests))]);
  const wrong = failed ?? broken;
  if (wrong !== null) throw new Error(`This test fails with every guard in place: ${wrong}`);
};

const formatLine = ({ guard, said, seconds }: Verdict): string =>
  `${guard.id.padEnd(24)} ${String(seconds).padStart(3)} s  ${said}`;

/** Checks two guards at a time, each in its own copy, because there are at least two cores. */
const judgeAll = async (guards: readonly Guard[]): Promise<Verdict[]> => {
  const waiting = [...guards];
  const verdicts: Verdict[] = [];
  const judgeNext = async (): Promise<void> => {
    const copy = await makeCopy();
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const verdict = await judgeGuard(copy, next);
        verdicts.push(verdict);
        console.log(formatLine(verdict));
      }
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  };
  await Promise.all([judgeNext(), judgeNext()]);
  return verdicts;
};

const runMain = async (ids: readonly string[]): Promise<number> => {
  const guards = chooseGuards(ids);
  const copy = await makeCopy();
  await checkWhole(copy, guards).finally(() => rm(copy, { recursive: true, force: true }));
  const verdicts = await judgeAll(guards);
  const bad = verdicts.filter(({ good }) => !good);
  for (const { guard, said } of bad) console.log(`\n${said}: ${guard.id}\n  ${guard.keeps}`);
  console.log(`\n${verdicts.length - bad.length} of ${verdicts.length} guards have a test that fails without them.`);
  return bad.length > 0 ? 1 : 0;
};

process.exitCode = await runMain(process.argv.slice(2));
