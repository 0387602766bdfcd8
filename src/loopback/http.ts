/**
 * Node's `createServer`. An ES import of `node:http` reads every export of it, among them those that load the whole of
 * Node's own HTTP client: a twentieth of what the start of an empty window takes.
 */
export const { createServer } = process.getBuiltinModule('node:http');
