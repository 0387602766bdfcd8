import { randomBytes } from 'node:crypto';

export const createPageNonce = (): string => randomBytes(18).toString('base64');

/** Allows resources from the host and these other origins only. Style attributes are allowed because listing previews and menus need them. */
export const createContentSecurityPolicy = (nonce: string, sockets: readonly string[] = []): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    ["connect-src 'self'", ...sockets].join(' '),
    "frame-src 'self' blob: about:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');

/** A first run does not show the frame around the screens, so the page must not preload the frame. */
export const removeFramePreloads = (html: string): string => html.replace(/<link[^>]* data-app-frame[^>]*>/gi, '');

/** The UI kit reads the nonce from the meta element, and the scroll lock reads it from the global variable. */
export const renderPageHtml = (html: string, nonce: string, script = ''): string => {
  const marked = html
    .replace(/<meta[^>]*(http-equiv="Content-Security-Policy"|name="csp-nonce")[^>]*>/gi, '')
    .replace(/<(script|link rel="modulepreload"|link rel="stylesheet")(?=[\s>])/gi, `<$1 nonce="${nonce}"`);
  const head =
    // Browsers would request an icon if the page had none.
    '<link rel="icon" href="data:,">' +
    `<meta name="csp-nonce" property="csp-nonce" content="${nonce}" nonce="${nonce}">` +
    `<script nonce="${nonce}">globalThis.__webpack_nonce__=${JSON.stringify(nonce)};${script}</script>`;
  // The script might contain patterns such as `$&`, which a replacement string would expand.
  return marked.replace(/<head[^>]*>/i, (open) => open + head);
};
