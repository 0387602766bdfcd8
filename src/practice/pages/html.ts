import { createHash } from 'node:crypto';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML shows it, never as HTML reads it. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** HTML that was put together from escaped parts. */
export type Html = { html: string };

/** Builds HTML: text that is put in is escaped, other HTML and lists of it are taken as they are. */
export const html = (parts: TemplateStringsArray, ...values: (string | number | Html | Html[])[]): Html => ({
  html: parts.reduce((made, part, at) => {
    const value = values[at - 1];
    const shown = Array.isArray(value)
      ? value.map((one) => one.html).join('')
      : typeof value === 'object'
        ? value.html
        : escaped(String(value ?? ''));
    return made + shown + part;
  }),
});

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
.photos { display: flex; gap: .5rem; overflow-x: auto; }
.photos img { height: 18rem; border-radius: .5rem; }
.price { font-size: 1.75rem; font-weight: 600; }
table { border-collapse: collapse; } th { text-align: left; padding-right: 1.5rem; font-weight: 500; }
iframe { width: 100%; height: 24rem; border: 1px solid #8884; border-radius: .5rem; background: #fff; }
button { font: inherit; padding: .6rem 1.2rem; border-radius: .5rem; border: 0; background: #1c7ed6; color: #fff; cursor: pointer; }
.note { opacity: .7; font-size: .9rem; }`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** What a page may load: our photos, this one style, nothing that runs. */
export const pagePolicy = `default-src 'none'; img-src 'self'; style-src 'sha256-${styleHash}'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** What the frame of a description may load: nothing at all but its own looks and our photos. */
export const framePolicy =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";

/** A whole page. */
export const page = (title: string, body: Html): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title><style>${style}</style></head><body>${body.html}</body></html>`;
