import * as z from 'zod';

/** One call a screen may make: its input is parsed before anything else sees it; its answer is a type of the core. */
export type Call<S extends z.ZodType, A> = {
  input: S;
  /** Never there: it only carries the type of the answer. */
  answer?: { value: A };
};
/** A call with this input, by the type of its answer. */
export const call = <S extends z.ZodType>(input: S) => ({ answering: <A>(): Call<S, A> => ({ input }) });

/** Of a call that takes nothing. */
export const nothing = z.object({}).prefault({});
