import type { World } from '../world.ts';

/** Returns the newest ledger rows of a kind, newest first. */
export const listLedgerRows = async (world: Pick<World, 'companion'>, kind: string) => {
  const { rows } = await world.companion().searchHistory.search({ q: '', limit: 200 });
  return rows.filter((row) => row.kind === kind);
};
