import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measureColourDifference } from '../../../helpers/photos/measureColourDifference.ts';
import { getFixtureFolder } from '../../../helpers/photos/getFixtureFolder.ts';
import { expectPrepared, startWorkers } from '../../../helpers/photos/photoWorld.ts';

test.for(['srgb.jpg', 'p3.jpg', 'adobe-rgb.jpg', 'adobe-rgb.png', 'sixteen-bit.png', 'lab.tif', 'cmyk.jpg'])(
  'the colours of %s stay within ΔE 2 of a plain conversion',
  async (name) => {
    const { workers, outDir } = await startWorkers({ size: 1 });
    const source = join(await getFixtureFolder(), 'colour', name);
    const { mean, most } = await measureColourDifference(
      expectPrepared(await workers.prepare({ source, outDir })).path,
      source,
    );
    expect(mean).toBeLessThan(1);
    expect(most).toBeLessThan(2);
  },
);
