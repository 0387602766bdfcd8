import type { HostTranslator } from '../../host/hostTranslator.ts';
import { escapeHtml } from '../../text/escapes.ts';
import { appOrigin, isOwnAddress } from '../appAddress.ts';

const crashPath = '/stopped';
const homePath = '/index.html';

/** Returns the address of a page that reports a repeated crash and links back to `from`. */
export const createCrashPageAddress = (from: string): string => {
  const { search, hash } = URL.canParse(from) ? new URL(from) : { search: '', hash: '' };
  return `${appOrigin}${crashPath}?${new URLSearchParams({ at: search + hash }).toString()}`;
};

export const isCrashPageAddress = (address: string): boolean => address.startsWith(`${appOrigin}${crashPath}?`);

/** Another page could open the crash page with any address, so the address must belong to the window. */
const parseReturnAddress = (address: string): URL => {
  const start = new URL(homePath, appOrigin);
  const at = new URL(address).searchParams.get('at') ?? '';
  const place = URL.canParse(at, start.href) ? new URL(at, start) : start;
  return isOwnAddress(place.href) && place.pathname === homePath ? place : start;
};

const style = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.5 system-ui, sans-serif;
  background: #faf9f6; color: #1b1916; }
main { max-width: 34rem; padding: 2rem; }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
button { font: inherit; padding: .5rem 1.25rem; border-radius: 6px; border: 1px solid #1f5a41; background: #1f5a41;
  color: #fff; cursor: pointer; }
button:focus-visible { outline: 3px solid #d9a520; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  body { background: #1b1916; color: #f0ece4; }
  button { background: #8fd0b0; border-color: #8fd0b0; color: #10231a; }
}`;

export const createCrashPagePolicy = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

export const renderCrashPage = (address: string, nonce: string, { format, language }: HostTranslator) => {
  const place = parseReturnAddress(address);
  const fields = [...place.searchParams].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return [
    `<!doctype html><html lang="${language()}"><head><meta charset="utf-8"><title>Listing Companion</title>`,
    `<link rel="icon" href="data:,"><style nonce="${nonce}">${style}</style></head><body><main>`,
    `<h1>${escapeHtml(format('shell.windowStopped'))}</h1><p>${escapeHtml(format('shell.windowStoppedText'))}</p>`,
    `<form action="${escapeHtml(homePath + place.hash)}" method="get">${fields.join('')}`,
    `<button autofocus>${escapeHtml(format('shell.tryAgain'))}</button></form></main></body></html>`,
  ].join('\n');
};
