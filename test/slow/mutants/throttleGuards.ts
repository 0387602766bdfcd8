import type { Guard } from './guard.ts';

const floors = ['test/flows/service/floors.test.ts'];
const answers = 'src/core/service/throttle/responseCache.ts';

/** Limits on the requests of assistants and the companion to the service. */
export const throttleGuards: readonly Guard[] = [
  {
    id: 'floor-declared',
    keeps: 'An undeclared parameter does not make a call different.',
    file: 'src/core/service/throttle/callLimits.ts',
    source: 'const declared = pickDeclaredInput(route, input);',
    without: 'const declared = { params, query, body };',
    tests: floors,
  },
  {
    id: 'floor-undeclared-memory',
    keeps: 'A call with an undeclared parameter gets no cached answer.',
    file: answers,
    source: 'if (!call?.isDeclared) return null;\n  for',
    without: 'if (!call) return null;\n  for',
    tests: floors,
  },
  {
    id: 'floor-route-cap',
    keeps: 'Different calls of one route are limited per minute.',
    file: 'src/core/service/throttle/callLimits.ts',
    source: 'counts.check(`${account()} ${route}`, call.floor.perMinute);',
    without: '',
    tests: floors,
  },
  {
    id: 'floor-stale-reads',
    keeps: 'A read that overlaps a write is not cached.',
    file: answers,
    source: 'reading.isStale = true;',
    without: 'reading.isStale = false;',
    tests: floors,
  },
  {
    id: 'one-reader',
    keeps: 'A listing in generation is read once for all who poll it.',
    file: 'src/core/service/throttle/throttle.ts',
    source: 'const known = polledAnswer(route, input);',
    without: 'const known = null as ReturnType<typeof polledAnswer>;',
    tests: floors,
  },
  {
    id: 'fresh-quote-at-yes',
    keeps: 'A fee that rose after it was shown is not paid.',
    file: 'src/core/approvals/decision.ts',
    source: 'fresh = await rereadSubject(row, context.readsAtApproval);',
    without: 'fresh = await rereadSubject(row);',
    tests: floors,
  },
  {
    id: 'quote-of-the-listing',
    keeps: 'A quote is shown again only for the unchanged listing.',
    file: 'src/core/approvals/prompts/promptReads.ts',
    source: 'isOld || listingDigests.get(createListingKey(params.listingId)) !== found.listing ? null : found',
    without: 'isOld ? null : found',
    tests: floors,
  },
];
