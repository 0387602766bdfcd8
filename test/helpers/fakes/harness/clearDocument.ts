/**
 * Returns a function that resets the document to its present state. Style sheets stay, as they do during navigation.
 */
export const clearDocument = (): (() => void) => {
  const { documentElement, body, head, title } = document;
  const own = new Set(head.children);
  const bare = [documentElement, body].map((element) => ({ element, was: element.cloneNode() as Element }));
  return () => {
    body.replaceChildren();
    for (const element of [...head.children]) if (!own.has(element) && element.tagName !== 'LINK') element.remove();
    for (const { element, was } of bare) {
      for (const name of element.getAttributeNames()) if (!was.hasAttribute(name)) element.removeAttribute(name);
      for (const { name, value } of was.attributes) element.setAttribute(name, value);
    }
    document.title = title;
    document.adoptedStyleSheets = [];
    getSelection()?.removeAllRanges();
    scrollTo(0, 0);
    localStorage.clear();
    sessionStorage.clear();
    window.name = '';
  };
};
