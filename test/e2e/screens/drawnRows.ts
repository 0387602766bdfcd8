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

/** Notes each row that a commit has drawn, whether or not it looks another way than before; from the next load on. */
export const watchRows = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const performedWork = 1;
    window.drawnRows = [];
    const visit = (fiber: Fiber): void => {
      const { child, alternate, flags } = fiber;
      if ((flags & performedWork) !== 0 && child?.type === 'li')
        window.drawnRows.push(String(child.memoizedProps?.['aria-label']));
      // What was not come to has the same children as before.
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
  });
};

/** The rows that were drawn since this was asked last. */
export const drawnRows = (page: Page): Promise<string[]> => page.evaluate(() => window.drawnRows.splice(0));
