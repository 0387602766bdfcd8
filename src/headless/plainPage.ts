const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);

/** A page of one sentence, for a browser that may not see the window. */
export const plainPage = (title: string, sentence: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title></head>` +
  `<body><main><h1>${escape(title)}</h1><p>${escape(sentence)}</p></main></body></html>`;
