// What both sides of the process that decodes photos know by name. It loads nothing: each thread there starts with it.

/** A photo as it is. */
export const noEdits = { quarterTurns: 0, straightenDeg: 0, crop: null, brighten: 0 } as const;

/** The text of a product's barcode. */
export const barcodeDigits = /^\d{8,13}$/;

/** What is worth a word about a photo that can be used but could be better. */
export const photoWarnings = ['blurred', 'very_dark', 'very_bright', 'small'] as const;
export type PhotoWarning = (typeof photoWarnings)[number];

/** Quality of what is uploaded, for both formats. */
export const quality = 82;

/** EXIF, with its small picture, lies at the start of a file; 256 KB hold it with room for a colour profile. */
export const thumbnailHeadBytes = 256 * 1024;
