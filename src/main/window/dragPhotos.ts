import { nativeImage, type WebContents } from 'electron';
import { problem } from '../../core/base/problem.ts';
import type { Running } from '../../host/runCompanion.ts';
import { waitingPicture } from '../trayPicture.ts';

const iconWidth = 96;

const filesOf = async (photo: Running['photo'], photoIds: readonly string[], size: 'full' | 'thumb') => {
  const found = await Promise.all(photoIds.map((photoId) => photo({ photoId, size })));
  return found.flatMap((one) => (one !== null && 'path' in one ? [one.path] : []));
};

/** Begins to drag prepared photos out of a window, as files, into a folder or another program. */
export const dragPhotos = async (
  contents: WebContents,
  photo: Running['photo'],
  photoIds: readonly string[],
): Promise<null> => {
  const files = await filesOf(photo, photoIds, 'full');
  const [first] = files;
  if (first === undefined) throw problem('NO_PHOTOS');
  const [thumb] = await filesOf(photo, photoIds.slice(0, 1), 'thumb');
  const icon = nativeImage.createFromPath(thumb ?? first);
  contents.startDrag({
    file: first,
    files,
    // A drag without a picture is refused by some systems.
    icon: icon.isEmpty() ? nativeImage.createFromDataURL(waitingPicture) : icon.resize({ width: iconWidth }),
  });
  return null;
};
