/* global Request */

import { policyToChromium, toApp } from './addresses.mjs';
import { contentTypeOf } from './contentTypes.mjs';
import { setPermissions } from './permissions.mjs';
import { createEvent } from './record.mjs';
import { protocol } from './session.mjs';

const fail = (contents, requestId, errorReason) => contents._send('Fetch.failRequest', { requestId, errorReason });

const headersOf = (response, scheme, address) => {
  const headers = [...response.headers].map(([name, value]) => ({
    name,
    value: name.startsWith('content-security-policy') ? policyToChromium(value, scheme) : value,
  }));
  if (!response.headers.has('content-type')) {
    headers.push({ name: 'content-type', value: contentTypeOf(new URL(address).pathname) });
  }
  return headers;
};

const fulfil = async (contents, requestId, response, scheme, address) =>
  contents._send('Fetch.fulfillRequest', {
    requestId,
    responseCode: response.status,
    responseHeaders: headersOf(response, scheme, address),
    body: new Uint8Array(await response.arrayBuffer()),
  });

/** Returns whether the app prevents the navigation to this address. */
const isNavigationPrevented = (contents, url) => {
  const frame = contents.mainFrame;
  const event = createEvent({ url, isMainFrame: true, isSameDocument: false, frame, initiator: frame });
  contents.emit('will-navigate', event, url, false, true);
  return event.defaultPrevented;
};

/** Answers a request of the page with the app's protocol handler for the scheme, or lets Chromium continue. */
export const answerRequest = async (contents, { request, requestId, resourceType, frameId }) => {
  const address = toApp(request.url);
  const scheme = address.slice(0, address.indexOf(':'));
  const isPage = resourceType === 'Document' && contents._isTopFrame(frameId);
  if (isPage && !contents._isExpected(request.url) && isNavigationPrevented(contents, address)) {
    return fail(contents, requestId, 'Aborted');
  }
  if (isPage) await setPermissions(contents, address);
  const handler = protocol.handlers.get(scheme);
  if (handler === undefined) return contents._send('Fetch.continueRequest', { requestId });
  const { method, headers, postData } = request;
  try {
    const response = await handler(new Request(address, { method, headers, body: postData }));
    if (response.type === 'error') return fail(contents, requestId, 'Failed');
    return await fulfil(contents, requestId, response, scheme, address);
  } catch (error) {
    console.error(`protocol.handle(${scheme}):`, error);
    return fail(contents, requestId, 'Failed');
  }
};
