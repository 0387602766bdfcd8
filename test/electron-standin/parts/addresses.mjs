import { protocol } from './session.mjs';

// Chromium does not navigate to an unknown scheme, so it gets https://host.app.standin/x for app://host/x.

/** Converts an address of the app to the address that Chromium gets. */
export const toChromium = (address) => {
  const [, scheme, host, rest] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(address) ?? [];
  const own = scheme !== undefined && protocol.handlers.has(scheme) && !/^(https?|file)$/.test(scheme);
  return own ? `https://${host || '_'}.${scheme}.standin${rest || '/'}` : address;
};

/** Converts an address from Chromium to the app's address. */
export const toApp = (address) =>
  address.replace(
    /^https:\/\/([^/]+)\.([a-z][a-z0-9+-]*)\.standin/,
    (_all, host, scheme) => `${scheme}://${host === '_' ? '' : host}`,
  );

/** Replaces the app's scheme in a content security policy with the origin that Chromium knows. */
export const policyToChromium = (policy, scheme) =>
  policy.replace(new RegExp(`(^|[\\s])${scheme}:(?=[\\s;]|$)`, 'g'), `$1https://*.${scheme}.standin`);
