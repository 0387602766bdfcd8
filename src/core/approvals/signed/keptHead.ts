import * as z from 'zod';
import type { Log, Secrets } from '../../base/ports.ts';
import { problemView } from '../../base/problem.ts';
import type { LedgerPlace } from '../../storage/tables/ledgerTable.ts';

/** The name of the head in the keychain. */
const secretName = 'ledger-head';
const shape = z.object({ seq: z.int().positive(), hash: z.string() });

/** How far the ledger reached when that was last put into the keychain; null when that does not know. */
export const readHead = async (secrets: Secrets): Promise<LedgerPlace | null> => {
  const text = await secrets.get(secretName).catch(() => null);
  if (text === null) return null;
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    return null;
  }
};

type Parts = {
  secrets: Secrets;
  log: Log;
  end: () => LedgerPlace | null;
  /** While an alarm stands, the keychain keeps what the alarm is about. */
  isHeld: () => boolean;
};

/**
 * Puts into the keychain how far the ledger reaches. Nobody waits for it: one writing at a time, the newest wins, and one
 * that fails is logged once.
 */
export const createHeadKeeper = ({ secrets, log, end, isHeld }: Parts) => {
  let wanted: LedgerPlace | null = null;
  let writing: Promise<void> | null = null;
  let noted = false;
  let failed = false;

  const fail = (error: unknown): void => {
    if (!failed) log('warn', 'the end of the ledger could not be kept', { code: problemView(error).code });
    failed = true;
  };
  const write = async (): Promise<void> => {
    while (wanted) {
      const next: LedgerPlace = wanted;
      wanted = null;
      await secrets.set(secretName, JSON.stringify(next)).catch(fail);
    }
  };
  const look = (): void => {
    noted = false;
    if (isHeld()) return;
    try {
      wanted = end();
    } catch (error) {
      return fail(error);
    }
    writing ??= write().finally(() => {
      writing = null;
    });
  };

  return {
    /** The ledger has grown, perhaps in a transaction that is still open: it is looked at right after. */
    note: (): void => {
      if (noted) return;
      noted = true;
      queueMicrotask(look);
    },
    /** Settles when what was noted is written, or could not be. */
    settled: async (): Promise<void> => {
      await Promise.resolve();
      await writing;
    },
  };
};
