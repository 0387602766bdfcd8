/** Imports only undici's agent, because the whole package takes twice as long to load. */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
