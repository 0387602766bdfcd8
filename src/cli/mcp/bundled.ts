import { fileURLToPath } from 'node:url';
import { defaultDataDir } from '../../host/dataFolder.ts';
import { openBridge } from '../bridgeClient.ts';
import { identityOf, installedIdentity, serveTools } from './serveTools.ts';

// The entry of the bundle for desktop clients: it only serves the tools of the companion in the default data folder.
// Each installation has its own identity in a file beside this one.
const bridge = openBridge({ dataDir: defaultDataDir(), ownData: false, keychain: 'system', env: process.env });
const identity =
  identityOf(undefined, process.env) ?? installedIdentity(fileURLToPath(new URL('identity', import.meta.url)));
await serveTools(bridge, { identity, name: null }, (line) => process.stderr.write(`${line}\n`));
