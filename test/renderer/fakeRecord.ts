import type { HistoryRow } from '../../src/core/approvals/batch.ts';

const kinds: readonly (readonly [string, Record<string, unknown>])[] = [
  ['approval.asked', { by: 'ast_1', route: 'publishListing', act: 'Publish on MKT_US' }],
  ['approval.approve', { digest: 'digest-1' }],
  ['approval.send', { route: 'publishListing' }],
  ['approval.answer', { route: 'publishListing', code: null, url: 'https://market.example/listing/12' }],
  ['approval.asked', { by: 'person', route: 'endListing', act: 'End the listing on MKT_DE' }],
  ['approval.decline', { why: 'no' }],
  ['approval.asked', { by: 'ast_2', route: 'reviseListing', act: 'Change the live listing on MKT_DE' }],
  ['approval.replaced', { before: 'apr_00' }],
  ['approval.expire', {}],
  ['approval.refuse', { route: 'publishListing', code: 'MARKET_REFUSED' }],
  ['assistant.paused', { assistantId: 'ast_2' }],
];

/** A record of 120 rows, newest first. */
export const fakeRecord = (count = 120): HistoryRow[] =>
  Array.from({ length: count }, (_, at) => {
    const [kind, facts] = kinds[(count - at - 1) % kinds.length] ?? ['approval.asked', {}];
    return {
      seq: count - at,
      at: Date.now() - at * 900_000,
      kind,
      facts: { approvalId: at % 7 === 0 ? 'apr_0' : 'apr_00', ...facts },
      title: kind.startsWith('assistant') ? null : 'Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting',
    };
  });
