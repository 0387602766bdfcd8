/** The window's own address: a scheme that only this app answers. */
export const appScheme = 'app';
export const appOrigin = `${appScheme}://companion`;

/** Whether an address is a page or a picture of the window itself. */
export const isOwnAddress = (address: string): boolean => address === appOrigin || address.startsWith(`${appOrigin}/`);
