/** TypeScript does not know these options yet. Chromium then reports whether an element is covered or transparent. */
const coverOptions: IntersectionObserverInit & { trackVisibility: boolean; delay: number } = {
  trackVisibility: true,
  delay: 100,
};

type CoverEntry = IntersectionObserverEntry & { isVisible?: boolean };

/** Returns whether this browser reports that something covers an element. */
export const canNoticeCover = (): boolean => 'isVisible' in IntersectionObserverEntry.prototype;

/**
 * Reports whether all elements are visible as they are: no element of the window covers them, and the window does not
 * make them transparent. A program that controls the window could do both to hide what the person confirms.
 */
export const watchCover = (elements: readonly Element[], report: (areVisible: boolean) => void): void => {
  const visible = new Set<Element>();
  const observer = new IntersectionObserver((entries: CoverEntry[]) => {
    for (const { target, isVisible } of entries) {
      if (isVisible === true) visible.add(target);
      else visible.delete(target);
    }
    report(elements.every((element) => visible.has(element)));
  }, coverOptions);
  for (const element of elements) observer.observe(element);
};
