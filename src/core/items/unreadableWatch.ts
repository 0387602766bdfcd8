import { problemView } from '../base/problem.ts';
import { isUnreadableNow } from '../../photoContract/refusals.ts';
import { openInside, rootsOf } from '../photos/openInside.ts';
import type { PhotoRow } from '../storage/tables/itemsTable.ts';
import type { ItemsContext } from './itemsContext.ts';
import { unreadableCode } from './itemState.ts';

type Parts = Pick<ItemsContext, 'account' | 'table' | 'clock' | 'gate' | 'pacing' | 'log' | 'touched'> & {
  start: (itemId: string) => void;
};

const isReadable = async (photo: PhotoRow): Promise<boolean> => {
  const file = await openInside(rootsOf(photo), photo.source).catch(() => null);
  await file?.close();
  return file !== null;
};

/** The maximum number of rounds skipped after failed tries, because a file can open without being readable. */
const maxRoundsOut = 64;

/**
 * Checks at growing intervals, and after the machine wakes, whether unreadable photos can be read again (a drive or
 * folder is back), and continues their items. Ends when no item is waiting, until `begin`.
 */
export const createUnreadableWatch = (parts: Parts) => {
  const { account, table, clock, gate, pacing, log, touched } = parts;
  const tries = new Map<string, { count: number; roundsOut: number }>();
  let running: AbortController | null = null;
  let rounds = 0;

  const isDue = (itemId: string): boolean => {
    const before = tries.get(itemId);
    if (before) before.roundsOut -= 1;
    return !before || before.roundsOut < 0;
  };
  const canGoOn = async (itemId: string): Promise<boolean> => {
    for (const photo of table.photos(itemId))
      if (photo.state === 'waiting' && isUnreadableNow(photo.code) && (await isReadable(photo))) return true;
    return false;
  };
  const goOn = (itemId: string): void => {
    // The person may have continued or removed the item in the meantime.
    if (table.read(itemId)?.stop?.code !== unreadableCode) return;
    const count = (tries.get(itemId)?.count ?? 0) + 1;
    tries.set(itemId, { count, roundsOut: Math.min(2 ** count, maxRoundsOut) });
    table.change(itemId, { stop: null }, clock.now());
    parts.start(itemId);
    touched(itemId);
  };
  const lookAt = async (itemIds: readonly string[], signal: AbortSignal): Promise<void> => {
    for (const itemId of itemIds) if (isDue(itemId) && (await canGoOn(itemId)) && !signal.aborted) goOn(itemId);
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      rounds += 1;
      await gate.rest(pacing.localPauseMs(rounds), signal);
      if (signal.aborted) return;
      try {
        const itemIds = table.pages.stoppedWith(account(), unreadableCode);
        if (itemIds.length === 0) break;
        await lookAt(itemIds, signal);
      } catch (error) {
        log('warn', 'checking for unreadable photos failed', { code: problemView(error).code });
      }
    }
    if (running?.signal === signal) running = null;
    tries.clear();
  };

  return {
    /** Checks soon, then repeatedly while an item is waiting. */
    begin: (): void => {
      rounds = 0;
      if (running) return;
      running = new AbortController();
      void run(running.signal);
    },
    stop: (): void => {
      running?.abort();
      running = null;
    },
  };
};
