import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { escapeHtml } from '../../text/escapes.ts';

export type Html = { html: string };

/** Builds HTML from a template. Text values are escaped, but `Html` values are inserted as they are. */
export const buildEscapedHtml = (
  parts: TemplateStringsArray,
  ...values: (string | number | Html | Html[])[]
): Html => ({
  html: parts.reduce((builtHtml, part, at) => {
    const value = values[at - 1];
    const escapedValue = Array.isArray(value)
      ? value.map((childHtml) => childHtml.html).join('')
      : typeof value === 'object'
        ? value.html
        : escapeHtml(String(value ?? ''));
    return builtHtml + escapedValue + part;
  }),
});

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: #8883; --faint: light-dark(#f4f6f8, #24282d); --blue: light-dark(#1769aa, #2f81c7); }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; background: light-dark(#fff, #181a1d); color: light-dark(#1c1f23, #e4e7eb); }
h1 { line-height: 1.2; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
a { color: light-dark(#1769aa, #7cc0f5); }
.photos { display: flex; gap: .5rem; overflow-x: auto; }
.photos img { height: 18rem; border-radius: .5rem; }
.price { font-size: 1.75rem; font-weight: 600; }
table { border-collapse: collapse; } th { text-align: left; padding-right: 1.5rem; font-weight: 500; }
iframe { margin-top: 1.5rem; width: 100%; height: 24rem; border: 1px solid var(--line); border-radius: .5rem; background: #fff; }
button { font: inherit; padding: .6rem 1.2rem; border-radius: .5rem; border: 0; background: var(--blue); color: #fff; cursor: pointer; }
button.small { white-space: nowrap; padding: .15rem .7rem; font-size: .875rem; }
button:focus-visible, a:focus-visible { outline: 3px solid var(--blue); outline-offset: 2px; }
input { font: inherit; padding: .5rem; border: 1px solid var(--line); border-radius: .5rem; }
.note { color: light-dark(#5c646d, #a3abb4); font-size: .9rem; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; }
.clock { font-size: 1.75rem; font-weight: 600; font-variant-numeric: tabular-nums; margin: 0 0 .5rem; }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; }
.list { width: 100%; font-size: .9rem; }
.list th, .list td { padding: .45rem .75rem; border-top: 1px solid var(--line); vertical-align: top; }
.list thead th { border-top: 0; background: var(--faint); font-weight: 600; }
.list form { margin: 0; }
.number, .time { font-variant-numeric: tabular-nums; white-space: nowrap; }
.code { font: 600 1.05rem ui-monospace, monospace; letter-spacing: .1em; }`;

const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * The content security policy of a page. It allows images of the service and one inline style sheet, but no scripts.
 */
const pagePolicy = `default-src 'none'; img-src 'self'; style-src 'sha256-${styleHash}'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/**
 * The content security policy of the frame with a listing's description. It allows inline styles and images of the
 * service, but no scripts.
 */
export const framePolicy =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";

const renderWholePage = (title: string, body: Html): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body.html}</body></html>`;

/** Sends an HTML page with a content security policy that forbids scripts. */
export const sendHtmlPage = (response: Response, title: string, body: Html, status = 200): void => {
  response.status(status).set('content-security-policy', pagePolicy).type('html').send(renderWholePage(title, body));
};
