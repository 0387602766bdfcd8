import type { Page } from 'playwright/test';

/** A node of React's tree, as its developer tools read it. */
type Fiber = {
  flags: number;
  type: unknown;
  child: Fiber | null;
  sibling: Fiber | null;
  alternate: Fiber | null;
  memoizedProps: Record<string, unknown> | null;
};

declare global {
  interface Window {
    drawnRows: string[];
  }
}

/**
 * Records each row that React renders, changed or not, from the next page load on. `part` is the element of a row, or of
 * a part of each row, whose label names the row; elements without a label are no rows. Sections of a screen and groups of
 * rows are recorded in the same way.
 */
export const watchRenderedRows = async (page: Page, part: 'li' | 'label' | 'section' | 'div' = 'li'): Promise<void> => {
  await page.addInitScript((type) => {
    const performedWork = 1;
    window.drawnRows = [];
    const visit = (fiber: Fiber): void => {
      const { child, alternate, flags } = fiber;
      if ((flags & performedWork) !== 0 && child?.type === type) {
        const named = type === 'label' ? child.child : child;
        const name = named?.memoizedProps?.['aria-label'];
        if (typeof name === 'string') window.drawnRows.push(name);
      }
      // An unvisited fiber keeps the same children.
      if (alternate !== null && alternate.child === child) return;
      for (let one = child; one !== null; one = one.sibling) visit(one);
    };
    const hook = {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberUnmount: () => undefined,
      onCommitFiberRoot: (_id: number, { current }: { current: Fiber }) => visit(current),
    };
    Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook });
  }, part);
};

/** Returns the rows rendered since the last call. */
export const takeRenderedRows = (page: Page): Promise<string[]> => page.evaluate(() => window.drawnRows.splice(0));
