/** Of undici only what sends requests: with its fetch, caches and sockets it takes twice as long to load. */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
