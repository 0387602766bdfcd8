import { expect, test } from 'vitest';
import { settings } from '../../../../src/core/base/settings.ts';
import { addPhotos } from '../../../../src/core/items/addPhotos.ts';
import type { Items } from '../../../../src/core/items/items.ts';
import { createIntake } from '../../../../src/core/photos/intake.ts';
import { person } from '../../../../src/core/base/request.ts';
import { tempDir } from '../../../helpers/photos/photoWorld.ts';

test('what decodes photos is started before they are looked for', async () => {
  let begun = 0;
  const photos = { intake: createIntake(await tempDir()), workers: { begin: () => void (begun += 1) } };
  const add = addPhotos({} as Items, photos, () => settings.parse({}));
  const adding = add({ kind: 'paths', paths: [await tempDir()] }, person);
  expect(begun).toBe(1);
  await expect(adding).rejects.toMatchObject({ code: 'NO_PHOTOS_FOUND' });
});
