import { isUnknownRecord } from '../../../api/unknownRecord.ts';
import { contactSheetId } from '../arrange/ArrangeBar.tsx';

/** Returns navigation options that store the photo of the contact sheet in the history state. */
export const getSheetPhotoOptions = (photoId: string) => ({ state: { sheetPhoto: photoId } });

/** Returns the photo of the contact sheet that is stored in the history state, or null. */
export const readSheetPhotoId = (): string | null => {
  const state: unknown = history.state;
  return isUnknownRecord(state) && typeof state['sheetPhoto'] === 'string' ? state['sheetPhoto'] : null;
};

/** Returns the target for leaving an open item: the photo of the contact sheet it was opened from, or else the list. */
export const getReturnPath = () => {
  const photoId = readSheetPhotoId();
  return photoId === null
    ? { isSheet: false, to: '/', options: {} }
    : { isSheet: true, to: `/items/${contactSheetId}`, options: getSheetPhotoOptions(photoId) };
};
