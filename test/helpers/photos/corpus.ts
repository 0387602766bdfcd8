import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const file = z.object({
  path: z.string(),
  format: z.string(),
  displayWidth: z.number().optional(),
  displayHeight: z.number().optional(),
  barcode: z.object({ text: z.string() }).optional(),
  group: z.string().optional(),
  expected: z.object({ outcome: z.enum(['ok', 'reject', 'ignore']), why: z.string().optional() }),
});
export type CorpusFile = z.infer<typeof file>;

/** Real photos beside the repository, with what should happen to each. */
export type Corpus = { dir: string; files: CorpusFile[] };

const dir = fileURLToPath(new URL('../../../../shared/photos', import.meta.url));
const manifest = join(dir, 'MANIFEST.json');

/** The corpus, or null where it is absent; `describe.skipIf(!corpus)` and say {@link whyNoCorpus}. */
export const corpus: Corpus | null = existsSync(manifest)
  ? { dir, files: z.object({ files: z.array(file) }).parse(JSON.parse(readFileSync(manifest, 'utf8'))).files }
  : null;

/** The reason to print when the tests on real photos are skipped. */
export const whyNoCorpus = 'The photo corpus is not beside this repository; the tests on real photos are skipped.';
