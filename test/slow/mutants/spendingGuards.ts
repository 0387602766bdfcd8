import type { Guard } from './guard.ts';

const scope = 'src/core/assistants/scope.ts';
const promptReads = 'src/core/approvals/prompts/promptReads.ts';
const subject = 'src/core/approvals/subject.ts';
const budget = ['test/unit/core/assistants/budget.test.ts'];
const quotes = ['test/unit/core/approvals/quotes.test.ts'];
const allowance = 'src/core/service/allowance.ts';
const readings = ['test/unit/core/items/writingStanding.test.ts'];
const covers = ['test/unit/core/approvals/covers.test.ts'];

/** What a request may cost, and who pays for it. */
export const spendingGuards: readonly Guard[] = [
  {
    id: 'budget-unconfirmed',
    keeps: 'A publish with an unknown outcome uses up the budget of its assistant.',
    file: scope,
    source: ", 'unconfirmed'])",
    without: '])',
    tests: [...budget, 'test/flows/approvals/extras/spendingRules.test.ts'],
    only: 'unknown outcome',
  },
  {
    id: 'extra-taken-noted',
    keeps: 'An extra that the service used for one asker is not spent by another asker.',
    file: 'src/core/approvals/extrasOwners.ts',
    source: 'if (isExtra) extrasOwners.takeAny(account);',
    without: '',
    tests: ['test/flows/approvals/extras/extrasOfAskers.test.ts'],
    only: 'cannot be spent again',
  },
  {
    id: 'fee-lines-add-up',
    keeps: 'A quote whose lines do not add up to its total is not shown as a fee.',
    file: subject,
    source: '(amounts.length === 0 || sum === totalMinor)',
    without: 'amounts.length >= 0',
    tests: covers,
  },
  {
    id: 'free-costs-nothing',
    keeps: 'A free quote that names an amount is not shown as free.',
    file: subject,
    source: "state === 'free' && (totalMinor ?? 0) === 0 && sum === 0;",
    without: "state === 'free';",
    tests: covers,
  },
  {
    id: 'quote-expires',
    keeps: 'An old quote is not shown again.',
    file: promptReads,
    source: ' || clock.elapsedMs() - found.atMs >= maxMs;',
    without: ';',
    tests: quotes,
  },
  {
    id: 'quote-by-elapsed-time',
    keeps: 'A clock that is set back does not extend the life of a quote.',
    file: promptReads,
    source: 'clock.elapsedMs() - found.atMs >= maxMs',
    without: 'clock.now() - found.quotedAt >= maxMs',
    tests: quotes,
  },
  {
    id: 'reading-before-extras',
    keeps: 'A balance read before extras were set aside is not used after it.',
    file: allowance,
    source: 'changes !== state.changes || ',
    without: '',
    tests: readings,
    only: 'were approved during the request',
  },
  {
    id: 'earlier-reading',
    keeps: 'A read that began earlier does not replace a later read.',
    file: allowance,
    source: ' && (state.reading === null || state.reading.turn < begun.turn)',
    without: '',
    tests: readings,
    only: 'the later request determines',
  },
];
