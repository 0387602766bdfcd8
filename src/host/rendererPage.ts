import { randomBytes } from 'node:crypto';

/** A value that a page and its policy share, new for every answer. */
export const newNonce = (): string => randomBytes(18).toString('base64');

/**
 * What the window may load: only what the host itself serves. Styles that the UI kit adds carry the nonce; style
 * attributes are allowed because listing previews and the UI kit's placement of menus need them.
 */
export const contentSecurityPolicy = (nonce: string, sockets: readonly string[] = []): string =>
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
 * The page without the links by which the frame around the screens is fetched early: a first run shows none of it, and loads
 * it while it is read.
 */
export const withoutFrame = (html: string): string => html.replace(/<link[^>]* data-app-frame[^>]*>/gi, '');

/**
 * The renderer's page for one answer: every script and preload carries the nonce, and the page tells it to the code
 * that adds styles (the UI kit reads the meta element, the scroll lock reads the global). `script` runs before all.
 */
export const rendererPage = (html: string, nonce: string, script = ''): string => {
  const marked = html
    .replace(/<meta[^>]*(http-equiv="Content-Security-Policy"|name="csp-nonce")[^>]*>/gi, '')
    .replace(/<(script|link rel="modulepreload"|link rel="stylesheet")(?=[\s>])/gi, `<$1 nonce="${nonce}"`);
  const head =
    // An empty icon, as browsers ask for one that is not there.
    '<link rel="icon" href="data:,">' +
    `<meta name="csp-nonce" property="csp-nonce" content="${nonce}" nonce="${nonce}">` +
    `<script nonce="${nonce}">globalThis.__webpack_nonce__=${JSON.stringify(nonce)};${script}</script>`;
  // A function, as the script may hold `$&` and its like.
  return marked.replace(/<head[^>]*>/i, (open) => open + head);
};
