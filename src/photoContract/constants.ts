// Constants that are shared with the photo-decoding process. This file imports nothing, because each thread loads it.

/** The edits of an unedited photo. */
export const noEdits = { quarterTurns: 0, straightenDeg: 0, crop: null, brighten: 0 } as const;

export const barcodeDigits = /^\d{8,13}$/;

/** Warnings about photos that are usable but could be better. */
export const photoWarnings = ['blurred', 'very_dark', 'very_bright', 'small'] as const;
export type PhotoWarning = (typeof photoWarnings)[number];

/** The encoder quality of uploaded photos, for both formats. */
export const encodeQuality = 82;

/** The start of a file that is read for its EXIF with the thumbnail: 256 KB include a colour profile. */
export const thumbnailHeadBytes = 256 * 1024;
