/** The scheme of the window's own address; only this app serves it. */
export const appScheme = 'app';
export const appOrigin = `${appScheme}://companion`;

/** Whether an address is a page or a picture of the window itself. */
export const isOwnAddress = (address: string): boolean => address === appOrigin || address.startsWith(`${appOrigin}/`);

type CallFrame = { url: string; parent: unknown };

/** Whether a call comes from the window's top frame; embedded frames, such as a listing, must not call. */
export const isOwnFrame = (frame: CallFrame | null): boolean =>
  frame !== null && frame.parent === null && isOwnAddress(frame.url);
