import { randomBytes } from 'node:crypto';

/** Returns a new nonce, shared by one page and its content security policy. */
export const createPageNonce = (): string => randomBytes(18).toString('base64');

/**
 * Returns the content security policy of the window: only resources from the host itself. Styles of the UI kit carry
 * the nonce. Style attributes are allowed because listing previews and the placement of menus need them.
 */
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

/**
 * Removes the preload links for the frame around the screens. A first run does not show the frame and loads it later.
 */
export const removeFramePreloads = (html: string): string => html.replace(/<link[^>]* data-app-frame[^>]*>/gi, '');

/**
 * Returns the renderer's page for one answer. Every script and preload carries the nonce. The page passes the nonce to
 * the code that adds styles: the UI kit reads the meta element, the scroll lock reads the global. `script` runs first.
 */
export const renderPageHtml = (html: string, nonce: string, script = ''): string => {
  const marked = html
    .replace(/<meta[^>]*(http-equiv="Content-Security-Policy"|name="csp-nonce")[^>]*>/gi, '')
    .replace(/<(script|link rel="modulepreload"|link rel="stylesheet")(?=[\s>])/gi, `<$1 nonce="${nonce}"`);
  const head =
    // An empty icon, because browsers would otherwise request a missing one.
    '<link rel="icon" href="data:,">' +
    `<meta name="csp-nonce" property="csp-nonce" content="${nonce}" nonce="${nonce}">` +
    `<script nonce="${nonce}">globalThis.__webpack_nonce__=${JSON.stringify(nonce)};${script}</script>`;
  // A replacer function, because the script may contain patterns such as `$&`.
  return marked.replace(/<head[^>]*>/i, (open) => open + head);
};
