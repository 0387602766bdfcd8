/** Signs that look the same and mean nothing. */
const lookalikes: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '\\': '∖', '&': '＆' };
/** An ampersand only where an entity could begin: “Salt & pepper” is no markup anywhere. */
const markup = /[<>\\]|&(?=[#\p{L}\p{N}])/gu;

/**
 * A text as a notification may carry it. Desktops read tags and entities in it, some with and some without a semicolon, and
 * notify-send reads backslashes; escaping would be shown as it is by those that do not.
 */
export const withoutMarkup = (text: string): string => text.replace(markup, (sign) => lookalikes[sign] ?? '');
