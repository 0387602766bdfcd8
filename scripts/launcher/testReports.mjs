import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{ passed: number, failed: string[], again: string[], skipped: number }} Sum The result of a run.
 * `again` lists tests that passed only at the second attempt.
 */

/** @returns {Sum} */
export const nothingRun = () => ({ passed: 0, failed: [], again: [], skipped: 0 });

const maxReasonLines = 12;

/** Adds the start of the error, because the end of a long log often is all that is kept. */
const withReason = (title, message = '') => {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  return [title, ...lines.slice(0, maxReasonLines).map((line) => `    ${line}`)].join('\n');
};

/** A file that could not be loaded has no tests, so the file itself is reported as failed. */
const vitestSum = (report) => {
  const tests = report.testResults.flatMap((file) =>
    file.assertionResults.map((test) => ({ ...test, title: `${file.name} › ${test.fullName}` })),
  );
  const unread = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  );
  const titles = (matches) => tests.filter(matches).map(({ title }) => title);
  return {
    passed: report.numPassedTests,
    failed: [
      ...tests
        .filter(({ status }) => status === 'failed')
        .map(({ title, failureMessages }) => withReason(title, failureMessages[0])),
      ...unread.map(({ name, message }) => withReason(name, message)),
    ],
    again: titles(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0),
    skipped: report.numPendingTests + report.numTodoTests,
  };
};

const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];

const playwrightSum = ({ stats, errors, suites }) => {
  const specs = suites.flatMap(specsOf);
  const titles = (wanted) =>
    specs.flatMap(({ file, title, tests }) => {
      const found = tests.find(({ status }) => status === wanted);
      const { error } = found?.results.find(({ status }) => status !== 'passed') ?? {};
      return found ? [withReason(`test/e2e/${file} › ${title}`, error?.message)] : [];
    });
  return {
    passed: stats.expected + stats.flaky,
    failed: [...titles('unexpected'), ...errors.map(({ message }) => message)],
    again: titles('flaky'),
    skipped: stats.skipped,
  };
};

/** Reads the result of a run. A failed run without a failed test is reported as one failure. */
const summed = (code, path, sum) => {
  const result = existsSync(path) ? sum(JSON.parse(readFileSync(path, 'utf8'))) : nothingRun();
  const unsaid = code !== 0 && result.failed.length === 0;
  return unsaid ? { ...result, failed: [`a run that ended with ${code} and did not say why`] } : result;
};

/** @returns {Sum} */
export const readVitest = (code, path) => summed(code, path, vitestSum);

/** @returns {Sum} */
export const readPlaywright = (code, path) => summed(code, path, playwrightSum);
