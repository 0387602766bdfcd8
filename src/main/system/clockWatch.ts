/** The time of the wall and the time that only runs forward, in ms. */
export type Clocks = { wall: () => number; steady: () => number };

const jumpMs = 30_000;

/**
 * Answers whether the clock was set, or the machine has slept, since the last look: then the two times have not gone on
 * alike.
 */
export const clockWatch = ({ wall, steady }: Clocks): (() => boolean) => {
  let last = { wall: wall(), steady: steady() };
  return () => {
    const now = { wall: wall(), steady: steady() };
    const jump = Math.abs(now.wall - last.wall - (now.steady - last.steady));
    last = now;
    return jump > jumpMs;
  };
};
