export const appScheme = 'app';
export const appOrigin = `${appScheme}://companion`;

export const isOwnAddress = (address: string): boolean => address === appOrigin || address.startsWith(`${appOrigin}/`);

type CallFrame = { url: string; parent: unknown };

/**
 * Accepts only the top frame of a window, because embedded frames, such as the preview of a listing, must not call the
 * companion.
 */
export const isOwnFrame = (frame: CallFrame | null): boolean =>
  frame !== null && frame.parent === null && isOwnAddress(frame.url);
