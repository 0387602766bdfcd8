/** What is made when it is first asked for, and kept. */
export const late = <T extends object>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};
