import { toProblemView } from '../base/problem.ts';
import { isUnreadableNow } from '../../photoContract/refusals.ts';
import { openFileInside, getOriginalRoots } from '../photos/openInside.ts';
import type { PhotoRow } from '../storage/tables/itemsTable.ts';
import type { ItemsContext } from './itemsContext.ts';
import { unreadableCode } from './itemState.ts';

type UnreadableWatchContext = Pick<
  ItemsContext,
  'account' | 'table' | 'clock' | 'gate' | 'pacing' | 'log' | 'notifyItemChanged'
> & {
  start: (itemId: string) => void;
};

const isPhotoReadable = async (photo: PhotoRow): Promise<boolean> => {
  const file = await openFileInside(getOriginalRoots(photo), photo.source).catch(() => null);
  await file?.close();
  return file !== null;
};

/**
 * The maximum number of rounds that an item skips. A file that can be opened might still be an unreadable photo, so the
 * number doubles each time the item is resumed.
 */
const maxRoundsOut = 64;

/**
 * Creates the watch that checks whether unreadable photos have become readable, for example because a drive is back.
 * Items with readable photos are resumed.
 */
export const createUnreadableWatch = (parts: UnreadableWatchContext) => {
  const { account, table, clock, gate, pacing, log, notifyItemChanged } = parts;
  const tries = new Map<string, { count: number; roundsOut: number }>();
  let running: AbortController | null = null;
  let rounds = 0;

  const isCheckDue = (itemId: string): boolean => {
    const before = tries.get(itemId);
    if (before) before.roundsOut -= 1;
    return !before || before.roundsOut < 0;
  };
  const hasReadablePhoto = async (itemId: string): Promise<boolean> => {
    for (const photo of table.photos(itemId))
      if (photo.state === 'waiting' && isUnreadableNow(photo.code) && (await isPhotoReadable(photo))) return true;
    return false;
  };
  const resumeReadableItem = (itemId: string): void => {
    // The person might have continued or removed the item during the check.
    if (table.read(itemId)?.stop?.code !== unreadableCode) return;
    const count = (tries.get(itemId)?.count ?? 0) + 1;
    tries.set(itemId, { count, roundsOut: Math.min(2 ** count, maxRoundsOut) });
    table.change(itemId, { stop: null }, clock.now());
    parts.start(itemId);
    notifyItemChanged(itemId);
  };
  const resumeReadableItems = async (itemIds: readonly string[], signal: AbortSignal): Promise<void> => {
    for (const itemId of itemIds)
      if (isCheckDue(itemId) && (await hasReadablePhoto(itemId)) && !signal.aborted) resumeReadableItem(itemId);
  };

  const watchUntilAborted = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      rounds += 1;
      await gate.sleepUntilNudge(pacing.localPauseMs(rounds), signal);
      if (signal.aborted) return;
      try {
        const itemIds = table.pages.stoppedWith(account(), unreadableCode);
        if (itemIds.length === 0) break;
        await resumeReadableItems(itemIds, signal);
      } catch (error) {
        log('warn', 'checking for unreadable photos failed', { code: toProblemView(error).code });
      }
    }
    if (running?.signal === signal) running = null;
    tries.clear();
  };

  return {
    begin: (): void => {
      rounds = 0;
      if (running) return;
      running = new AbortController();
      void watchUntilAborted(running.signal);
    },
    stop: (): void => {
      running?.abort();
      running = null;
    },
  };
};
