/**
 * What the most usual codes of a refusal mean. English shows the core's own sentence, which may say more; another
 * language shows these.
 */
export const problems = {
  INTAKE_FAILED: 'A photo did not arrive whole. Drop it again.',
  INTAKE_MISSING: 'A dropped photo is no longer here. Drop it again.',
  INVALID_CODE: 'That code is not right, or it was used before. Look at the newest e-mail.',
  LAST_PHOTO: 'An item needs at least one photo. Remove the item itself, or add other photos first.',
  LINK_REFUSED: 'Only https addresses are opened.',
  NOTHING_TO_SPLIT: 'These are all the photos of the item. Choose some of them.',
  NOTHING_TO_UNDO: 'There is no change to take back.',
  NOT_CONNECTED: 'Connect your account first.',
  NOT_FOUND: 'This is no longer there.',
  NOT_LOWER: 'Choose a number below the one that was asked for.',
  NOT_WHAT_WAS_SHOWN: 'This yes is not for what was shown. Please look at it again.',
  NO_PHOTOS_FOUND: 'There are no photos in there. Drop a folder with photos, or photos themselves.',
  OFFER_OVER: 'This page is no longer offered. Ask the assistant to try again.',
  PAIRING_OVER: 'This request is over. Ask the assistant to try again.',
  RECONNECT_NEEDED: 'The service no longer knows this companion. Connect again to go on.',
  SERVICE_UNREACHABLE: 'The service cannot be reached. Nothing was sent.',
  STANDING_UNKNOWN: 'The allowance could not be read.',
  TOO_LATE: 'This is at the service already and can no longer be changed here. Change the listing itself.',
  TOO_MANY_PAIRINGS: 'Too many assistants are waiting to be let in. Answer these first.',
  TOO_MANY_WAITING: 'Other questions are waiting already. Answer these first.',
} as const;
