/** The whole undici package takes twice as long to load as its agent, so only the agent is imported. */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
