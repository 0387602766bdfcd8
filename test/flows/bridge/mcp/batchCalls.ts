import * as z from 'zod';
import type { Answer } from './clients.ts';
import type { Mcp } from './startMcp.ts';

const createListings = async (mcp: Mcp, count: number, create: (key: string) => Promise<string>): Promise<string[]> => {
  const key = (await mcp.world.secrets.get('agent-key practice')) ?? '';
  const ids = [];
  for (let at = 0; at < count; at += 1) ids.push(await create(key));
  return ids;
};
export const createReviewedListings = (mcp: Mcp, count: number): Promise<string[]> =>
  createListings(mcp, count, (owner) => mcp.world.practice.written(owner));
export const createLiveListings = (mcp: Mcp, count: number): Promise<string[]> =>
  createListings(mcp, count, (owner) => mcp.world.practice.live(owner));

export const readRequestId = ({ data }: Answer): string => z.string().parse(data['requestId']);

/** Lets time pass until the batch has neither a row in its undo window nor one that is being sent. */
export const waitUntilBatchSent = (mcp: Mcp, requestId: string): Promise<unknown> =>
  mcp.world.until(
    () => !['held', 'sending'].includes(mcp.world.companion().batches.readBatch(requestId).state),
    'the end of sending',
  );
