import type { Group, RouteName, Routes } from '../../contract/index.ts';

/** The routes of one group of the interface. */
export type RouteNameOf<G extends Group> = { [K in RouteName]: Routes[K]['group'] extends G ? K : never }[RouteName];
