/** The window's own address: a scheme that only this app answers. */
export const appScheme = 'app';
export const appOrigin = `${appScheme}://companion`;

/** Whether an address is a page or a picture of the window itself. */
export const isOwnAddress = (address: string): boolean => address === appOrigin || address.startsWith(`${appOrigin}/`);

type Frame = { url: string; parent: unknown };

/** Only the top frame of a window of ours is answered: a listing shown in a frame must not reach the calls. */
export const isOwnFrame = (frame: Frame | null): boolean =>
  frame !== null && frame.parent === null && isOwnAddress(frame.url);
