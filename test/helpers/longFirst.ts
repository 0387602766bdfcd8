import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = join(import.meta.dirname, '..', '..');

/** The slowest files, slowest first, so that the whole run does not wait for a slow file that starts last. */
const long = [
  'test/slow/npmPackage.test.ts',
  'test/flows/storage/killed.test.ts',
  'test/slow/crashes.test.ts',
  'test/slow/restoreCrashes.test.ts',
  'test/slow/batchKills/firstSeeds.test.ts',
  'test/slow/batchKills/otherSeeds.test.ts',
  'test/slow/mutatedPhotos.test.ts',
  'test/flows/items/tenThousand.test.ts',
  'test/unit/core/photos/corpus.test.ts',
  'test/unit/practice/writer/stories.test.ts',
  'test/flows/service/serviceFault.test.ts',
  'test/flows/storage/diskFull.test.ts',
  'test/flows/approvals/approvalBooks.test.ts',
  'test/flows/cli/mcp.test.ts',
  'test/flows/items/lateWriting.test.ts',
  'test/flows/items/watchFolder.test.ts',
  'test/flows/items/lateArrivals.test.ts',
  'test/flows/approvals/exactYes.test.ts',
  'test/slow/network/plainRequests.test.ts',
  'test/flows/bridge/mcp/waits.test.ts',
  'test/flows/cli/keychain.test.ts',
  'test/flows/bridge/longBodies.test.ts',
  'test/unit/kitchen/deaths.test.ts',
].map((path) => {
  if (!existsSync(join(root, path)))
    throw new Error(`There is no ${path} to begin with; see test/helpers/longFirst.ts.`);
  return join(root, path).replaceAll('\\', '/');
});

const getPosition = ({ moduleId }: TestSpecification): number => {
  const place = long.indexOf(moduleId.replaceAll('\\', '/'));
  return place === -1 ? long.length : place;
};

/** Runs these files first, even in a project that has never been tested; vitest orders the others by their duration. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => getPosition(a) - getPosition(b));
  }
}
