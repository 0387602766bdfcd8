import { useState } from 'react';
import type { ItemView } from '../../../api/types.ts';
import { PhotoStrip } from '../../../parts/PhotoStrip.tsx';
import { PhotoDialog } from './PhotoDialog.tsx';

/** The photos of an item that is on its way: to be looked at closely, no more to be changed. */
export const LookablePhotos = ({ photos, folded }: Pick<ItemView, 'photos'> & { folded?: boolean }) => {
  const [opened, open] = useState<string | null>(null);
  const shown = photos.filter(({ fullUrl }) => fullUrl !== null);
  const large = shown.find(({ photoId }) => photoId === opened);
  return (
    <>
      <PhotoStrip photos={photos} folded={folded} onOpen={open} />
      {large && <PhotoDialog photos={shown} photo={large} editable={false} onGo={open} onClose={() => open(null)} />}
    </>
  );
};
