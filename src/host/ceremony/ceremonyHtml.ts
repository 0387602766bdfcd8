import type { Settings } from '../../core/base/settings.ts';
import type { CeremonyPageData } from '../../ipc/ceremonyPage.ts';
import { escapeHtml } from '../../text/escapes.ts';
import type { CeremonyTexts } from './ceremonyTexts.ts';

/** The page sends everything to its own server, and no other page may show it in a frame, where it could be covered. */
export const createCeremonyPolicy = (nonce: string): string =>
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
    "frame-ancestors 'none'",
  ].join('; ');

/** Neither a script nor a text can end the element that contains it. */
const escapeInScript = (code: string): string => code.replace(/<(?=\/script|!--)/gi, '\\x3c');
const formatScriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const style = `
:root {
  --ground: light-dark(#faf9f6, #151311);
  --sheet: light-dark(#ffffff, #1e1c19);
  --hair: light-dark(#e3dfd7, #2f2c27);
  --edge: light-dark(#8f897e, #7a7469);
  --ink: light-dark(#221f1b, #ece8e0);
  --soft: light-dark(#655f56, #aaa59b);
  --green: light-dark(#1a5637, #79b591);
  --on-green: light-dark(#ffffff, #151311);
  --amber: light-dark(#7a540a, #e6bd57);
  --photo: light-dark(#ebe8e1, #0a0908);
}
* { box-sizing: border-box; }
body { margin: 0; padding: clamp(0.75rem, 4vw, 2rem); background: var(--ground); color: var(--ink);
  font: 0.9375rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif; }
main { display: grid; gap: 1rem; max-width: 30rem; margin: 0 auto; }
h1, p, ul, dl, dd { margin: 0; padding: 0; }
h1 { font-size: 1.375rem; line-height: 1.3; }`;

type Look = { nonce: string; theme: Settings['theme'] };

const renderHead = ({ language, format }: CeremonyTexts, { nonce, theme }: Look): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
  '<meta name="viewport" content="width=device-width, initial-scale=1">' +
  `<title>${escapeHtml(format('ceremony.title'))}</title>` +
  `<style nonce="${nonce}">:root { color-scheme: ${theme === 'system' ? 'light dark' : theme}; }${style}</style></head><body>`;

/** The script is part of the page, because a browser might have cached another program's file with its address. */
export const renderCeremonyPage = (
  texts: CeremonyTexts,
  { script, data, ...look }: Look & { script: string; data: CeremonyPageData },
): string =>
  `${renderHead(texts, look)}<div id="root"></div>` +
  `<script nonce="${look.nonce}" type="application/json" id="data">${formatScriptJson(data)}</script>` +
  `<script nonce="${look.nonce}" type="module">${escapeInScript(script)}</script></body></html>`;

/** The page of a token that was used, is over or never existed. */
export const renderCeremonyOver = (texts: CeremonyTexts, { isReload, ...look }: Look & { isReload: boolean }): string =>
  `${renderHead(texts, look)}<main><h1>${escapeHtml(texts.format('ceremony.overTitle'))}</h1>` +
  `<p>${escapeHtml(texts.format(isReload ? 'ceremony.alreadyOpened' : 'ceremony.over'))}</p></main></body></html>`;
