import type { Settings } from '../../core/base/settings.ts';
import type { CeremonyPageData } from '../../ipc/ceremonyPage.ts';
import { escapeHtml } from '../../text/escapes.ts';
import type { CeremonyTexts } from './ceremonyTexts.ts';

/** The page sends everything to its own server, and only the window may show it in a frame. */
export const createCeremonyPolicy = (nonce: string, windowOrigin: string | null): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `frame-ancestors ${windowOrigin ?? "'none'"}`,
  ].join('; ');

/** Neither a script nor a text can end the element that contains it. */
const escapeInScript = (code: string): string => code.replace(/<(?=\/script|!--)/gi, '\\x3c');
const formatScriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

type Look = { nonce: string; theme: Settings['theme'] };

const renderHead = ({ language, format }: CeremonyTexts, { nonce, theme }: Look): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
  '<meta name="viewport" content="width=device-width, initial-scale=1">' +
  `<title>${escapeHtml(format('ceremony.title'))}</title>` +
  `<style nonce="${nonce}">:root{color-scheme:${theme === 'system' ? 'light dark' : theme}}</style></head><body>`;

/** The script is part of the page, because a browser might have cached another program's file with its address. */
export const renderCeremonyPage = (
  texts: CeremonyTexts,
  { script, data, ...look }: Look & { script: string; data: CeremonyPageData },
): string =>
  `${renderHead(texts, look)}<div id="root"></div>` +
  `<script nonce="${look.nonce}" type="application/json" id="data">${formatScriptJson(data)}</script>` +
  `<script nonce="${look.nonce}" type="module">${escapeInScript(script)}</script></body></html>`;

/** The page of a token that was used, is over or never existed. */
export const renderCeremonyOver = (texts: CeremonyTexts, look: Look): string =>
  `${renderHead(texts, look)}<main><h1>${escapeHtml(texts.format('ceremony.overTitle'))}</h1>` +
  `<p>${escapeHtml(texts.format('ceremony.over'))}</p></main></body></html>`;
