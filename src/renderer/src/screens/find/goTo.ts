/** How often a frame is looked at until what is looked for stands there: a screen that was not seen yet is loaded first. */
const mostFrames = 120;

const saysThat =
  (name: string) =>
  (element: Element): boolean =>
    (element.getAttribute('aria-label') ?? element.textContent).trim() === name;

/** The control with this name, or else the heading that has it. */
const namedIn = (room: Element, name: string): HTMLElement | null => {
  const controls = [...room.querySelectorAll<HTMLElement>('input[aria-label], select[aria-label], label[for]')];
  const headings = [...room.querySelectorAll<HTMLElement>('h1, h2')];
  const found = controls.find(saysThat(name)) ?? headings.find(saysThat(name)) ?? null;
  return found instanceof HTMLLabelElement ? document.getElementById(found.htmlFor) : found;
};

const focusOn = (element: HTMLElement): void => {
  if (/^(H1|H2|MAIN)$/.test(element.tagName)) element.tabIndex = -1;
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
};

/** Puts the focus on what has this name as soon as its screen stands there, or else on the screen. */
export const focusOnNamed = (name: string | null): void => {
  const look = (frames: number): void => {
    const main = document.querySelector<HTMLElement>('main');
    const found = main && (name === null ? main : namedIn(main, name));
    if (found) focusOn(found);
    else if (frames > 0) requestAnimationFrame(() => look(frames - 1));
    else if (main) focusOn(main);
  };
  requestAnimationFrame(() => look(mostFrames));
};
