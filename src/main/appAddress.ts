export const appScheme = 'app';
export const appOrigin = `${appScheme}://companion`;

export const isOwnAddress = (address: string): boolean => address === appOrigin || address.startsWith(`${appOrigin}/`);

type CallFrame = { url: string; parent: unknown };

/** Embedded frames, such as a listing, must not call the companion, so only the window's top frame is accepted. */
export const isOwnFrame = (frame: CallFrame | null): boolean =>
  frame !== null && frame.parent === null && isOwnAddress(frame.url);
