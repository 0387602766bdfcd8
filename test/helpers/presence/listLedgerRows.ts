import type { World } from '../world.ts';

/** Returns the newest ledger rows of a kind, newest first. */
export const listLedgerRows = (world: Pick<World, 'companion'>, kind: string) =>
  world
    .companion()
    .searchHistory.search({ q: '', limit: 200 })
    .rows.filter((row) => row.kind === kind);
