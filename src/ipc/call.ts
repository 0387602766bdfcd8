import * as z from 'zod';

export type IpcCall<S extends z.ZodType, A> = {
  readonly input: S;
  /** Never set: the property exists only for its type. */
  answer?: { value: A };
};
/** Declares a call. The schema is built on first use, because it would slow down the start to build all schemas. */
export const defineIpcCall = <S extends z.ZodType>(build: () => S) => ({
  answering: <A>(): IpcCall<S, A> => {
    let built: S | undefined;
    return {
      get input() {
        return (built ??= build());
      },
    };
  },
});

export const createEmptyInputSchema = () => z.object({}).prefault({});
