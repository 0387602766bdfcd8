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

/** Real photos in a folder beside the repository, each with its expected result. */
export type Corpus = { dir: string; files: CorpusFile[] };

const dir = fileURLToPath(new URL('../../../../shared/photos', import.meta.url));
const manifest = join(dir, 'MANIFEST.json');

/** The corpus, or null if it is absent; use `describe.skipIf(!corpus)` and print {@link whyNoCorpus}. */
export const corpus: Corpus | null = existsSync(manifest)
  ? { dir, files: z.object({ files: z.array(file) }).parse(JSON.parse(readFileSync(manifest, 'utf8'))).files }
  : null;

/** Why the tests with real photos are skipped. */
export const whyNoCorpus = 'The photo corpus is not beside this repository; the tests on real photos are skipped.';
