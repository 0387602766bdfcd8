import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createLedger } from '../../../src/core/approvals/ledger/ledger.ts';
import { createChainCheck } from '../../../src/core/approvals/ledger/chainCheck.ts';

/** Returns the invalid rows of a companion's ledger, or SQLite's error for the file. */
export const findLedgerDamage = (dataDir: string): unknown[] => {
  const db = new Database(join(dataDir, 'companion.db'), { readonly: true });
  try {
    const broken = [...createLedger(db).after(0)].flatMap(createChainCheck().checkRow);
    const checked = db.pragma('integrity_check', { simple: true });
    return [...broken, ...(checked === 'ok' ? [] : [checked])];
  } finally {
    db.close();
  }
};
