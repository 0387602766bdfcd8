import type { HistoryRow } from '../../../src/core/approvals/ledger/history.ts';

const kinds: readonly (readonly [string, Record<string, unknown>])[] = [
  ['approval.asked', { by: 'ast_1', route: 'publishListing', act: 'Publish on the US site' }],
  ['approval.approve', { digest: 'digest-1' }],
  ['approval.send', { route: 'publishListing' }],
  ['approval.answer', { route: 'publishListing', code: null, url: 'https://market.example/listing/12' }],
  ['approval.asked', { by: 'person', route: 'endListing', act: 'End the listing on the German site' }],
  ['approval.decline', { why: 'no' }],
  ['approval.asked', { by: 'ast_2', route: 'reviseListing', act: 'Change the live listing on the German site' }],
  ['approval.replaced', { before: 'apr_00' }],
  ['approval.expire', {}],
  ['approval.refuse', { route: 'publishListing', code: 'MARKET_REFUSED' }],
  ['assistant.paused', { assistantId: 'ast_2', name: 'Garage helper' }],
];

const acts = [
  'Publish on the US site',
  'End the listing on the German site',
  'Change the live listing on the German site',
  'Publish on the US site',
];
/** The approval that each row of the story belongs to; null for a row without an approval. */
const questions = [0, 0, 0, 0, 1, 1, 2, 2, 2, 3, null];

/** Creates a history of 120 rows, newest first. */
export const fakeRecord = (count = 120): HistoryRow[] =>
  Array.from({ length: count }, (_, at) => {
    const step = (count - at - 1) % kinds.length;
    const story = Math.floor((count - at - 1) / kinds.length);
    const [kind, facts] = kinds[step] ?? ['approval.asked', {}];
    const question = questions[step] ?? null;
    return {
      seq: count - at,
      at: Date.now() - at * 900_000,
      kind,
      facts: { ...(question === null ? {} : { approvalId: `apr_0${story}${question}` }), ...facts },
      act: question === null ? null : (acts[question] ?? null),
      title: kind.startsWith('assistant') ? null : 'Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting',
      photoUrl: kind.startsWith('assistant') ? null : '/photos/fox-0/thumb',
    };
  });
