import { setImmediate as immediate } from 'node:timers/promises';
import * as z from 'zod';
import type { Db } from '../../storage/database.ts';
import { createLedgerSearch, type LedgerFilter } from '../../storage/tables/ledger/ledgerTable.ts';
import type { ApprovalState, ApprovalView, PromptMoney } from '../../storage/tables/approvalRecord.ts';
import type { Ledger } from './ledger.ts';
import type { OpenedLedger } from './openLedger.ts';
import type { Message } from '../../../i18n/message.ts';

/** Pending requests wait; the person decided all others, or nothing was sent for them. */
const statesByAnswer = {
  yes: ['approved', 'sending', 'done', 'failed', 'unconfirmed'],
  no: ['declined', 'expired', 'withdrawn'],
  waiting: ['pending'],
} as const satisfies Record<string, readonly ApprovalState[]>;

type HistoryAnswer = keyof typeof statesByAnswer;

type HistoryQuery = {
  q: string;
  before?: number | undefined;
  limit: number;
  listingId?: string | undefined;
  approvalId?: string | undefined;
  answer?: HistoryAnswer | undefined;
  /** `person`, or the id of an assistant. */
  askerId?: string | undefined;
};

/** For example "2026-03-09". A day starts at midnight on this computer. */
const formatLocalDay = (at: number): string => {
  const date = new Date(at);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
};

const findMidnight = (at: number, daysLater: number): number => {
  const date = new Date(at);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + daysLater).getTime();
};

export type DayFees = { day: string; currency: string; totalMinor: number };

const approvalIds = z.array(z.string()).catch([]);

type HistoryContext = { db: Db; ledger: Ledger; signedLedger: OpenedLedger };

/** Lets the person search the ledger. */
export const createHistoryService = ({ db, ledger, signedLedger }: HistoryContext) => {
  const ledgerSearch = createLedgerSearch(db);
  const findRows = async (query: Parameters<typeof ledgerSearch.findRows>[0]) => {
    const { rows, next } = ledgerSearch.findRows(query);
    for (let before = next; before !== null && rows.length < query.limit;) {
      await immediate();
      const step = ledgerSearch.findRows({ ...query, before, limit: query.limit - rows.length });
      rows.push(...step.rows);
      before = step.next;
    }
    return rows;
  };
  /** Reads the fees of a day in steps, between which other work can run. */
  const sumFeesOfDay = async (filter: LedgerFilter, from: number): Promise<DayFees[]> => {
    const [day, sums] = [formatLocalDay(from), new Map<string, number>()];
    for (let until: number | null = findMidnight(from, 1); until !== null;) {
      const { fees, next } = ledgerSearch.findPaidFees(filter, from, until);
      for (const { currency, totalMinor } of fees) sums.set(currency, (sums.get(currency) ?? 0) + totalMinor);
      until = next;
      await immediate();
    }
    return [...sums].map(([currency, totalMinor]) => ({ day, currency, totalMinor }));
  };
  /** Reads day by day, because years can lie between two rows of a rare asker. */
  const sumFeesOfDays = async (filter: LedgerFilter, times: readonly number[]): Promise<DayFees[]> => {
    const fees: DayFees[] = [];
    for (const from of new Set(times.map((at) => findMidnight(at, 0))))
      fees.push(...(await sumFeesOfDay(filter, from)));
    return fees;
  };
  /** Names the approvals of rows about a confirmation, which can be about several. */
  const nameApprovals = (
    rows: readonly { kind: string; facts: HistoryRow['facts'] }[],
  ): ((row: HistoryRow['facts']) => RowSubject[]) => {
    const listIds = (facts: HistoryRow['facts']): string[] => approvalIds.parse(facts['approvalIds']);
    const named = new Map(
      ledgerSearch.findApprovals(rows.flatMap(({ facts }) => listIds(facts))).map((one) => [one.id, one]),
    );
    return (facts) =>
      listIds(facts).flatMap((id) => {
        const found = named.get(id);
        return found === undefined ? [] : [{ act: found.act, says: found.says, title: found.title }];
      });
  };
  return {
    /**
     * Returns the newest matching rows before row `before`, all fees of their days, and the first row that breaks the
     * hash chain. A search for a text or for one approval returns no fees, because it finds only parts of a day. The
     * askers are on the first page.
     */
    search: async ({ q, before, limit, listingId = '', approvalId = '', answer, askerId = '' }: HistoryQuery) => {
      const filter = { listingId, approvalId, askerId, states: answer ? statesByAnswer[answer] : [] };
      const found = await findRows({ ...filter, before: before ?? Number.MAX_SAFE_INTEGER, q, limit });
      const times = found.map(({ at }) => at);
      const listSubjects = nameApprovals(found);
      return {
        rows: found.map((row): HistoryRow => ({ ...row, day: formatLocalDay(row.at), about: listSubjects(row.facts) })),
        fees: q === '' && approvalId === '' ? await sumFeesOfDays(filter, times) : [],
        askers: before === undefined && approvalId === '' ? ledgerSearch.listAskers() : [],
        brokenAt: ledger.findFirstBroken(),
        alarm: signedLedger.alarm(),
        signing: signedLedger.signing,
      };
    },
  };
};

/** The subject of a row about a confirmation. The title is the title of a listing, or states what a call changes. */
export type RowSubject = { act: string; says: Message | null; title: string | null };

export type HistoryRow = {
  seq: number;
  at: number;
  kind: string;
  facts: Record<string, unknown>;
  title: string | null;
  /** The path of the listing's main photo on the window's own origin. */
  photoUrl?: string | null;
  act: string | null;
  says?: Message | null;
  batchId?: string | null;
  /** The approvals or the call of a confirmation that the person gave or did not give. */
  about?: readonly RowSubject[];
  /** The day of the row on this computer, for example "2026-03-09". */
  day: string;
  /** The outcome of the request; null for a row without an approval. */
  approval: (Pick<ApprovalView, 'state' | 'route' | 'by' | 'outcome'> & { money: PromptMoney | null }) | null;
};
