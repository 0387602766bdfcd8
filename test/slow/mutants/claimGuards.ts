import type { Guard } from './guard.ts';

const settle = 'src/core/approvals/settle.ts';
const pageLinks = 'src/core/listings/pageLinks.ts';
const links = ['test/flows/approvals/pageLinks.test.ts'];
const later = ['test/flows/approvals/claimsLater.test.ts'];

/** What keeps the word of the service from being taken for the truth. */
export const claimGuards: readonly Guard[] = [
  {
    id: 'claim-read',
    keeps: 'An act that no reading shows is not done because the service says so.',
    file: settle,
    source: "if (verdict?.shows === 'done' || verdict?.shows === 'nothing') {",
    without: 'if (verdict) {',
    tests: ['test/flows/approvals/claims.test.ts'],
    only: 'answers done, and reading says not done',
  },
  {
    id: 'contradiction-told',
    keeps: 'A lasting contradiction is told as one.',
    file: settle,
    source:
      "if (isRead && !isContradicted(row)) moveApproval(context, row, 'contradict', { outcome: contradictedOutcome() });",
    without: '',
    tests: ['test/flows/approvals/claims.test.ts'],
    only: 'answers done, and reading says not done',
  },
  {
    id: 'claim-hidden',
    keeps: 'What the service claims is no answer for an assistant until the listing agrees.',
    file: 'src/bridge/assistantRecords.ts',
    source: 'row.answer && isFinal(row.state) ?',
    without: 'row.answer ?',
    tests: later,
    only: 'is no answer for its assistant before',
  },
  {
    id: 'strange-host',
    keeps: 'A page on a host that is not known is opened only after a question.',
    file: pageLinks,
    source: "if (!isKnown(page)) throw problem('HOST_UNKNOWN', { field: 'url', values: { host: page.host } });",
    without: '',
    tests: links,
    only: 'the core opens no page on a host that is not known',
  },
  {
    id: 'strange-answer',
    keeps: 'A host that came with an answer is not known because its listing was read.',
    file: pageLinks,
    source: ' && !strange.includes(host)',
    without: '',
    tests: links,
    only: 'an answer names before all listings were read',
  },
  {
    id: 'later-host',
    keeps: 'A host that comes with later listings is not known.',
    file: pageLinks,
    source: 'if (known !== null) return;',
    without: '',
    tests: links,
    only: 'no later page makes one known',
  },
  {
    id: 'host-question',
    keeps: 'A yes counts for a question that was asked, once and in its account.',
    file: pageLinks,
    source: "if (question?.account !== account()) throw problem('NOT_FOUND.question');",
    without: "if (question === undefined) throw problem('NOT_FOUND.question');",
    tests: links,
    only: 'in the account that was asked',
  },
  {
    id: 'host-answered-once',
    keeps: 'A question about a host is answered once.',
    file: pageLinks,
    source: 'questions.delete(questionId);',
    without: '',
    tests: links,
    only: 'a question is answered once',
  },
  {
    id: 'no-user-name',
    keeps: 'An address with a user name, which reads like a host, is not opened.',
    file: pageLinks,
    source: "page === null || page.username !== '' || page.password !== ''",
    without: 'page === null',
    tests: links,
    only: 'is no page that is opened',
  },
];
