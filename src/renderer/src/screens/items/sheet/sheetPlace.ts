import { isUnknownRecord } from '../../../api/unknownRecord.ts';
import { contactSheetId } from '../arrange/ArrangeBar.tsx';

/** The history state stores which photo of the contact sheet had the focus. */
export const getSheetPhotoNavigationOptions = (photoId: string) => ({ state: { sheetPhoto: photoId } });

export const readSheetPhotoId = (): string | null => {
  const state: unknown = history.state;
  return isUnknownRecord(state) && typeof state['sheetPhoto'] === 'string' ? state['sheetPhoto'] : null;
};

/**
 * If the item was opened from the contact sheet, returns the path of the contact sheet; otherwise returns the path of
 * the list.
 */
export const getReturnPath = () => {
  const photoId = readSheetPhotoId();
  return photoId === null
    ? { isSheet: false, to: '/', options: {} }
    : { isSheet: true, to: `/items/${contactSheetId}`, options: getSheetPhotoNavigationOptions(photoId) };
};
