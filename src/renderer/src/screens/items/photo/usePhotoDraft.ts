import { useState } from 'react';
import type { PhotoView } from '../../../api/types.ts';
import { useArrange } from '../arrange/useArrange.ts';
import { draftOf, editsOf, isChanged, type PhotoDraft } from './photoDraft.ts';

/** A picture as it is kept now: another one, or the same made anew, starts a new draft. */
const keyOf = ({ photoId, fullUrl, edits }: PhotoView): string => `${photoId} ${fullUrl} ${JSON.stringify(edits)}`;

/** What is being done to the photo that is shown, until it is kept. */
export const usePhotoDraft = (photo: PhotoView) => {
  const arrange = useArrange();
  const key = keyOf(photo);
  const [state, setState] = useState({ key, draft: draftOf(photo.edits) });
  if (state.key !== key) setState({ key, draft: draftOf(photo.edits) });
  const changed = isChanged(photo.edits, state.draft);
  return {
    draft: state.draft,
    changed,
    change: (draft: PhotoDraft) => setState({ key, draft }),
    keep: () => {
      if (changed) arrange.edit(photo, editsOf(photo.edits, state.draft));
    },
  };
};
