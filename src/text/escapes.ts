const entities: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };

/** Escapes a text for elements and attributes of HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&${entities[sign]};`);

/** Foreign text could use these characters to end its quotation and imitate the companion. */
export const quotationMarks = /["“”„‟«»‹›″＂〝〞]/g;

/**
 * Matches a character that is invisible or changes the order of text, including line feeds and the joiners inside
 * emoji.
 */
export const hiddenCharacter = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Makes a hidden character visible, for example as `‹U+202E›`. */
export const formatCodePoint = (char: string): string =>
  `‹U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
