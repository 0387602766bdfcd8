import { abortable } from '../../base/abortable.ts';

type Flight<T> = { answer: Promise<T>; waiting: number; over: AbortController };

/** Requests that are under way, by their keys, and how many wait for the answer of each. */
export type SharedReads<T> = {
  /** Makes the request of that key, or joins the one that is under way. Rejects with the signal's reason. */
  read: (key: string, send: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
  /** Joins the request of that key that is under way; null when there is none. */
  join: (key: string, signal: AbortSignal | undefined) => Promise<T> | null;
  /** Whoever comes from now on gets an answer of its own: what is under way may be older than what was written. */
  part: () => void;
};

/**
 * One request for all who want the same at the same time. Who hangs up leaves the others their answer; when the last
 * one has left, the request is given up.
 */
export const createSharedReads = <T>(): SharedReads<T> => {
  const flights = new Map<string, Flight<T>>();

  const take = (key: string, send: (signal: AbortSignal) => Promise<T>): Flight<T> => {
    const over = new AbortController();
    const flight: Flight<T> = { over, waiting: 0, answer: send(over.signal) };
    flights.set(key, flight);
    const land = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.answer.then(land, land);
    return flight;
  };

  const board = async (key: string, flight: Flight<T>, signal: AbortSignal | undefined): Promise<T> => {
    flight.waiting += 1;
    try {
      return await abortable(flight.answer, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        flight.over.abort();
        if (flights.get(key) === flight) flights.delete(key);
      }
    }
  };

  return {
    read: async (key, send, signal) => {
      signal?.throwIfAborted();
      return board(key, flights.get(key) ?? take(key, send), signal);
    },
    join: (key, signal) => {
      const flight = flights.get(key);
      return flight ? board(key, flight, signal) : null;
    },
    part: () => flights.clear(),
  };
};
