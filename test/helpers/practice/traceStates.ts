import { expect } from 'vitest';

export type JournalRow = { seq: number; kind: string; [fact: string]: unknown };

/** The transitions that the interface allows, by the journal's events. */
const moves: Record<string, Record<string, readonly string[]>> = {
  generation: { draft: ['processing', 'failed'], pending_review: ['processing'] },
  written: { processing: ['pending_review', 'failed'] },
  publish: { pending_review: ['published'] },
  end: { published: ['ended'] },
  relist: { ended: ['pending_review'] },
  revert: { failed: ['draft', 'pending_review'] },
  delete: { draft: ['gone'], pending_review: ['gone'], failed: ['gone'] },
  sale: { published: ['published', 'sold'] },
  edit: { draft: ['draft'], pending_review: ['pending_review'], failed: ['failed'] },
  revision: { published: ['published'] },
  photo: { draft: ['draft'], pending_review: ['pending_review'], failed: ['failed'] },
};

/** Returns the state after a row of the journal. */
const getNextState = (row: JournalRow, from: string): string => {
  switch (row.kind) {
    case 'generation':
      return row['source'] === null ? 'failed' : 'processing';
    case 'written':
      return row['ok'] === true ? 'pending_review' : 'failed';
    case 'publish':
      return 'published';
    case 'end':
      return 'ended';
    case 'relist':
      return 'pending_review';
    case 'revert':
      return String(row['status']);
    case 'delete':
      return 'gone';
    case 'sale':
      return row['left'] === 0 ? 'sold' : 'published';
    default:
      return from;
  }
};

/**
 * Returns the state of each listing according to the journal; throws on a transition that the interface does not allow.
 */
export const traceStates = (rows: readonly JournalRow[]): Map<string, string> => {
  const states = new Map<string, string>();
  for (const row of rows) {
    const listingId = typeof row['listingId'] === 'string' ? row['listingId'] : null;
    if (listingId === null) continue;
    if (row.kind === 'draft') {
      expect(states.has(listingId), `${listingId} is made once`).toBe(false);
      states.set(listingId, 'draft');
      continue;
    }
    const allowed = moves[row.kind];
    const from = states.get(listingId);
    if (!allowed || from === undefined) continue;
    const to = getNextState(row, from);
    expect(allowed[from] ?? [], `${row.seq}: ${row.kind} of ${listingId} from ${from} to ${to}`).toContain(to);
    states.set(listingId, to);
  }
  return states;
};
