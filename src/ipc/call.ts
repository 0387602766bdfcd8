import * as z from 'zod';

/** An IPC call of a screen. Its input is parsed before a handler gets it. */
export type IpcCall<S extends z.ZodType, A> = {
  readonly input: S;
  /** Never set; it only carries the type of the answer. */
  answer?: { value: A };
};
/**
 * Declares a call with an input schema and the type of its answer. The schema is built on first use, because building
 * all schemas would slow down the start.
 */
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

export const createEmptyInput = () => z.object({}).prefault({});
