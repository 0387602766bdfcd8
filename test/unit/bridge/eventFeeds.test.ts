import { setImmediate as immediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createEventFeedService } from '../../../src/bridge/eventRoutes.ts';
import type { AssistantAsker } from '../../../src/core/base/request.ts';
import type { ListingNews } from '../../../src/core/notifications/news.ts';
import type { Topic } from '../../../src/core/base/ports.ts';

const by: AssistantAsker = { kind: 'assistant', assistantId: 'as_1', name: 'One' };

/** Creates event feeds for one assistant. `reads` is how often the feeds read what the assistant can see. */
const startFeeds = () => {
  const listeners = new Set<(topic: Topic) => void>();
  const newsListeners = new Set<(news: ListingNews) => void>();
  const paired = new Set([by.assistantId]);
  let reads = 0;
  const feeds = createEventFeedService(
    {
      onChanged: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      onListingNews: (listener) => {
        newsListeners.add(listener);
        return () => newsListeners.delete(listener);
      },
      isConnected: () => true,
      isPaired: (assistantId) => paired.has(assistantId),
    },
    {
      approvals: () => {
        reads += 1;
        return [];
      },
      changedItems: () => ({ mark: 'm', items: [] }),
      checkVisibility: () => undefined,
    },
  );
  const changed = async (topic: Topic): Promise<void> => {
    for (const listener of listeners) listener(topic);
    await immediate();
  };
  const tellNews = async (listingId: string): Promise<void> => {
    for (const listener of newsListeners) listener({ listingId, kind: 'sales', title: null, at: 0, isOfItem: false });
    await immediate();
  };
  return { feeds, changed, tellNews, paired, reads: () => reads };
};

test('event feeds read nothing for an assistant that has stopped listening', async () => {
  const { feeds, changed, reads } = startFeeds();
  const { stop } = feeds.listen(by, null, () => undefined);
  await changed('items');
  const readsBefore = reads();
  expect(readsBefore).toBeGreaterThan(1);
  stop();
  await changed('items');
  await changed('approvals');
  expect(reads()).toBe(readsBefore);
});

test('the ids of events reveal nothing of the events of other assistants', async () => {
  const { feeds, tellNews } = startFeeds();
  const listen = (assistantId: string): string[] => {
    const ids: string[] = [];
    feeds.listen({ ...by, assistantId }, null, ({ id }) => ids.push(id.split('-')[1] ?? ''));
    return ids;
  };
  const one = listen('as_1');
  const other = listen('as_2');
  await tellNews('lst_1');
  await tellNews('lst_2');
  expect([one, other]).toEqual([
    ['1', '2'],
    ['1', '2'],
  ]);
});

test('event feeds forget an assistant whose pairing was removed', async () => {
  const { feeds, changed, paired } = startFeeds();
  feeds.listen(by, null, () => undefined).stop();
  await changed('assistants');
  expect(feeds.count()).toBe(1);
  paired.clear();
  await changed('assistants');
  expect(feeds.count()).toBe(0);
});
