import type { DragEvent } from 'react';
import { call, companion } from '../api/call.ts';
import type { PhotoView } from '../api/types.ts';

/** Makes something that shows prepared photos draggable to other programs, as files; nothing where the host gives no files away. */
export const dragOut = (photos: readonly PhotoView[]) => {
  const photoIds = photos.filter((photo) => photo.fullUrl !== null).map(({ photoId }) => photoId);
  if (companion().host !== 'electron' || photoIds.length === 0) return {};
  return {
    draggable: true,
    onDragStart: (event: DragEvent): void => {
      // The system's own drag takes the place of the page's; one that cannot begin is just no drag.
      event.preventDefault();
      void call('app.dragOut', { photoIds }).catch(() => undefined);
    },
  };
};
