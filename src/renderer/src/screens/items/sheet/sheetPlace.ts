import { isUnknownRecord } from '../../../api/unknownRecord.ts';
import { sheetId } from '../arrange/ArrangeBar.tsx';

/** Opens an item from a photo of the sheet, or the sheet at a photo. It is kept with the step of the window's history. */
export const atSheetPhoto = (photoId: string) => ({ state: { sheetPhoto: photoId } });

/** The photo of the sheet that what is shown now was opened from, or at; null where it was not. */
export const sheetPhotoId = (): string | null => {
  const state: unknown = history.state;
  return isUnknownRecord(state) && typeof state['sheetPhoto'] === 'string' ? state['sheetPhoto'] : null;
};

/** Where leaving an open item leads: to the photo of the sheet that it was opened from, else to the list. */
export const wayBack = () => {
  const photoId = sheetPhotoId();
  return photoId === null
    ? { isSheet: false, to: '/', options: {} }
    : { isSheet: true, to: `/items/${sheetId}`, options: atSheetPhoto(photoId) };
};
