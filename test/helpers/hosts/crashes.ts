import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDrawnFolder } from '../photos/createDrawnFolder.ts';
import type { Life } from './life.ts';
import { startTestPractice } from '../practice.ts';
import { findLedgerDamage } from '../approvals/findLedgerDamage.ts';

const photos = 3;

/** What the practice service must count after the whole story, however often the companion was killed. */
export const once = { draft: 1, photo: photos, generation: 1, publish: 1, charge: 1, revision: 1, end: 1, mail: 0 };

/** Creates a practice service, an empty data folder and photos. */
export const startCrashes = async () => {
  const practice = await startTestPractice();
  const home = await mkdtemp(join(tmpdir(), 'crashes-'));
  const life: Life = {
    dataDir: join(home, 'data'),
    practiceUrl: practice.url,
    folder: await createDrawnFolder(join(home, 'photos'), 'blue mug', photos),
    email: 'killed@practice.example',
  };
  return {
    life,
    /** Counts each event at the service. A photo uploaded twice is one photo. */
    happened: async (): Promise<typeof once> => {
      const rows = await practice.journal();
      const count = (kind: string) => rows.filter((row) => row.kind === kind).length;
      const indices = rows.filter(({ kind }) => kind === 'photo').map(({ index }) => index);
      const counted = Object.fromEntries(Object.keys(once).map((kind) => [kind, count(kind)]));
      return { ...once, ...counted, photo: new Set(indices).size };
    },
    /** Returns the first invalid row of the companion's ledger, or SQLite's error for the file. */
    damage: (): unknown[] => findLedgerDamage(life.dataDir),
    close: async () => {
      await practice.close();
      await rm(home, { recursive: true, force: true });
    },
  };
};
