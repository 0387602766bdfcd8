import * as z from 'zod';

/** One call a screen may make: its input is parsed before anything else sees it; its answer is a type of the core. */
export type Call<S extends z.ZodType, A> = {
  readonly input: S;
  /** Never there: it only carries the type of the answer. */
  answer?: { value: A };
};
/**
 * A call with this input, by the type of its answer. The input's schema is built when the call is first made: building those
 * of all calls would take longer than a start has.
 */
export const call = <S extends z.ZodType>(build: () => S) => ({
  answering: <A>(): Call<S, A> => {
    let built: S | undefined;
    return {
      get input() {
        return (built ??= build());
      },
    };
  },
});

/** The input of a call that takes nothing. */
export const nothing = () => z.object({}).prefault({});
