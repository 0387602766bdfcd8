import DOMPurify from 'dompurify';
import { styleNonce } from '../../../app/styleNonce.ts';

/** Formatting of a description. Nothing that loads, runs, asks or leads elsewhere. */
const allowed = {
  ALLOWED_TAGS:
    'p br hr b strong i em u s small sub sup h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tfoot tr td th caption blockquote pre code div span'.split(
      ' ',
    ),
  ALLOWED_ATTR: ['colspan', 'rowspan', 'dir', 'lang'],
};

const style = (dark: boolean): string =>
  `html{color-scheme:${dark ? 'dark' : 'light'};color:${dark ? '#ece8e0' : '#221f1b'};background:${dark ? '#1e1c19' : '#fff'};` +
  'font:15px/1.5 system-ui,sans-serif}body{margin:12px 16px;overflow-wrap:anywhere}h1,h2,h3,h4{font-size:1em}' +
  'table{border-collapse:collapse}td,th{padding:2px 12px 2px 0;text-align:start;vertical-align:top}';

/** The page of a sandboxed frame: the cleaned description under a policy that allows nothing but our own style. */
export const descriptionPage = (html: string, dark: boolean): string => {
  const nonce = styleNonce();
  const policy = `default-src 'none'; style-src ${nonce ? `'nonce-${nonce}'` : "'unsafe-inline'"}`;
  return (
    `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">` +
    `<style nonce="${nonce}">${style(dark)}</style></head><body>${DOMPurify.sanitize(html, allowed)}</body></html>`
  );
};
