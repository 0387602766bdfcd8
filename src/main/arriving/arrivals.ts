import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import { placeOfLink, linkScheme } from './deepLinks.ts';

/** What somebody handed to the app: folders and photos to take in, and a link to follow. */
export type Arrival = { paths: string[]; link: string | null };

/** Sorts the arguments of a command line that are no flags. Relative paths begin at `cwd`, where the command was given. */
export const arrivalOf = (args: readonly string[], cwd: string): Arrival => ({
  link: args.find((arg) => arg.startsWith(`${linkScheme}:`)) ?? null,
  // An address of any scheme is not a path: "file:" and its like are not followed.
  paths: args.filter((arg) => !/^[a-z][a-z0-9+.-]+:/i.test(arg)).map((arg) => resolve(cwd, arg)),
});

export const arrivalShape = z.object({
  paths: z.array(z.string().refine(isAbsolute)),
  link: z.string().nullable(),
});
const handedOver = z.object({ arrival: arrivalShape });

/**
 * What a second start hands to the first, which cannot read it off the command line that it is given as well: Chromium
 * puts all switches first there, away from their values. Anything else only shows the window.
 */
export const arrivalHandedOver = (data: unknown): Arrival => {
  const parsed = handedOver.safeParse(data);
  return parsed.success ? parsed.data.arrival : { paths: [], link: null };
};

type Receiver = {
  /** Makes items of these paths. Rejects with a sentence for the person. */
  add: (paths: string[]) => Promise<unknown>;
  show: (place?: string) => void;
  /** Tells why something could not be added. */
  failed: (error: unknown) => void;
};

export type Arrivals = {
  arrive: (request: Arrival) => void;
  /** From now on what arrives is taken at once. Answers whether something had arrived before. */
  open: (receiver: Receiver) => boolean;
};

/**
 * Takes what arrives, however it arrives: on the command line, handed over by a second start, dropped on the app's icon,
 * by a link. What comes before the companion runs is kept until there is a receiver. `resolveFile` gives the request
 * that a file stands for.
 */
export const createArrivals = (resolveFile: (request: Arrival) => Arrival = (request) => request): Arrivals => {
  const early: Arrival[] = [];
  let receiver: Receiver | null = null;

  const deliver = ({ paths, link }: Arrival, { add, show, failed }: Receiver): void => {
    const place = link === null ? null : placeOfLink(link);
    if (paths.length > 0) add(paths).catch(failed);
    show(place ?? (paths.length > 0 ? '/' : undefined));
  };

  return {
    arrive: (given) => {
      const request = resolveFile(given);
      if (receiver === null) early.push(request);
      else deliver(request, receiver);
    },
    open: (given) => {
      receiver = given;
      for (const request of early) deliver(request, given);
      return early.splice(0).length > 0;
    },
  };
};
