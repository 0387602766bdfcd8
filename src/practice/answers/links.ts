/** The index: where everything that needs no key is. */
export const links = (url: string, version: string) => ({
  name: 'Listing service (practice)',
  version,
  baseUrl: url,
  guide: `${url}/agent/guide`,
  routes: `${url}/agent/routes`,
  openApi: `${url}/agent/openapi.json`,
  plans: `${url}/agent/plans`,
  signIn: { start: `${url}/agent/auth/start`, verify: `${url}/agent/auth/verify` },
  terms: `${url}/terms`,
  privacy: `${url}/privacy`,
});
