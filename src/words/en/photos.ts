/** Why a photo cannot be used, by code, and what to do about it. */
export const refusals = {
  EMPTY_FILE: 'This file is empty. Copy it from the phone or camera again.',
  NOT_A_PHOTO: 'This file is not a photo. Leave it out, or add the photo it was made from.',
  TRUNCATED: 'The end of this photo is missing, so part of it cannot be shown. Copy it from the phone or camera again.',
  DAMAGED: 'This photo is damaged and parts of it cannot be shown. Copy it again, or take a new one.',
  TOO_LARGE: 'This photo has too many pixels to be prepared here. Save a smaller copy and add that.',
  FILE_TOO_LARGE: 'This file is too large to be prepared here. Save a smaller copy and add that.',
  TOO_SMALL: 'This picture is too small for a listing. Use the original photo, not a preview of it.',
  EXTREME_SHAPE: 'This picture is far too long and narrow for a listing. Cut out the part that shows the item.',
  ANIMATED: 'This picture moves. Buyers see a still photo: save one frame as JPEG or PNG and add that.',
  SVG: 'This is a drawing (SVG), not a photo. Save it as JPEG or PNG and add that.',
  PDF: 'This is a PDF, not a photo. Save the page as JPEG or PNG and add that.',
  VIDEO: 'This is a video, not a photo. Save a still picture from it and add that.',
  CAMERA_RAW: 'This is a raw camera file. Save it as JPEG with the camera’s program and add that.',
  OTHER_PICTURE: 'This kind of picture file cannot be read here. Save it as JPEG or PNG and add that.',
  HEIC_UNREADABLE: 'This iPhone-style photo (HEIC) cannot be read here. Save it as JPEG and add that.',
  MISSING_FILE: 'This photo is no longer where it was. Put it back, or add it again from its new place.',
  OUTSIDE_FOLDER:
    'A link here now leads outside the folder that was added. Put the photo itself here, or add it again from its own place.',
  UNREADABLE_FILE:
    'This photo cannot be opened. Check that you may read it and that its disk is connected, then try again.',
  NO_SPACE: 'The disk is full, so this photo could not be prepared. Free some space, then try again.',
  CANNOT_WRITE:
    'The prepared photo could not be saved. Check that the companion’s folder may be written to, then try again.',
  WORKER_DIED: 'Preparing this photo failed twice. Save a copy of it as JPEG and add that.',
} as const;

/** Why a photo stays on this machine. */
export const aside = {
  person: 'You set this one aside.',
  duplicate: 'This looks the same as “{{name}}”, so it stays here.',
  over_cap: 'Your plan takes {{most}} photos a listing. This one stays here.',
} as const;

/** What is worth a word about a photo that can be used but could be better; windows have their own words for it. */
export const warnings = {
  blurred: 'This photo looks blurred. A sharp one sells better.',
  very_dark: 'This photo is very dark. Brighten it, or take it again with more light.',
  very_bright: 'This photo is very bright and shows little detail. Take it again with less light.',
  small: 'This photo is under 500 pixels, so buyers cannot look closer. Use a larger one if there is one.',
} as const;

/** The last change of the photos' arrangement, as undoing names it. */
export const changes = {
  Merge: 'Merge',
  Split: 'Split',
  'Move photos': 'Move photos',
  Order: 'Order',
  'Remove photo': 'Remove photo',
  'Remove photos': 'Remove photos',
  'Put back': 'Put back',
  'Set aside': 'Set aside',
  'Take in': 'Take in',
  'Split at barcodes and sheets': 'Split at barcodes and sheets',
  'Edit photo': 'Edit photo',
} as const;
