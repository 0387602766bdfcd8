// This file must not import anything, because each thread loads it.

export const noEdits = { quarterTurns: 0, straightenDeg: 0, crop: null, brighten: 0 } as const;

export const barcodeDigits = /^\d{8,13}$/;

/** The longest SKU. */
export const maxLabelTextChars = 50;

export const photoWarnings = ['blurred', 'very_dark', 'very_bright', 'small'] as const;
export type PhotoWarning = (typeof photoWarnings)[number];

export const encodeQuality = 82;

/** The EXIF thumbnail is in the first 256 KB, even after a colour profile. */
export const thumbnailHeadBytes = 256 * 1024;
