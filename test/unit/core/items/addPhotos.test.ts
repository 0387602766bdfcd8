import { expect, test } from 'vitest';
import { settingsShape } from '../../../../src/core/base/settings.ts';
import { createPhotoImporter } from '../../../../src/core/items/addPhotos.ts';
import type { Items } from '../../../../src/core/items/items.ts';
import { createPhotoIntake } from '../../../../src/core/photos/photoIntake.ts';
import { person } from '../../../../src/core/base/request.ts';
import { createTempDir } from '../../../helpers/photos/photoWorld.ts';

test('the photo process starts before the search for the added photos', async () => {
  let begun = 0;
  const photos = {
    intake: createPhotoIntake(await createTempDir()),
    workers: { begin: () => void (begun += 1) },
  };
  const { add } = createPhotoImporter({} as Items, photos, { noteFolderNames: () => undefined }, () =>
    settingsShape.parse({}),
  );
  const adding = add({ kind: 'paths', paths: [await createTempDir()] }, person);
  expect(begun).toBe(1);
  await expect(adding).rejects.toMatchObject({ code: 'NO_PHOTOS_FOUND' });
});
