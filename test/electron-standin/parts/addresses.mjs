import { protocol } from './session.mjs';

// Chromium does not navigate to a scheme that it does not know: app://host/x is https://host.app.standin/x to it.

/** The address that Chromium is given for an address of the app. */
export const toChromium = (address) => {
  const [, scheme, host, rest] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(address) ?? [];
  const own = scheme !== undefined && protocol.handlers.has(scheme) && !/^(https?|file)$/.test(scheme);
  return own ? `https://${host || '_'}.${scheme}.standin${rest || '/'}` : address;
};

/** The address of the app for one that Chromium names. */
export const toApp = (address) =>
  address.replace(
    /^https:\/\/([^/]+)\.([a-z][a-z0-9+-]*)\.standin/,
    (_all, host, scheme) => `${scheme}://${host === '_' ? '' : host}`,
  );

/** A policy names the scheme as Chromium sees it. */
export const policyToChromium = (policy, scheme) =>
  policy.replace(new RegExp(`(^|[\\s])${scheme}:(?=[\\s;]|$)`, 'g'), `$1https://*.${scheme}.standin`);
