#!/usr/bin/env node
// Generates docs/bridge.md and docs/licences.md: `npm run docs`, or `node scripts/run.mjs docs FOLDER` for another folder.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as prettier from 'prettier';
import { maxWaitMs } from '../src/bridge/guard.ts';
import { problemStatuses } from '../src/bridge/bridgeProblem.ts';
import { createBridgeOpenApi } from '../src/bridge/openApi.ts';
import { toolList } from '../src/bridge/mcp/mcpServer.ts';
import { listRouteErrors } from '../src/contract/project/routeRecords.ts';
import { groups, limits, publishFixes, refusedRoutes, routeNames, getRouteByName } from '../src/contract/index.ts';
import { getRequiredScope } from '../src/core/assistants/scope.ts';
import { maxPhotoBytes } from '../src/core/photos/photoIntake.ts';
import { findRouteFloor } from '../src/core/service/throttle/floors.ts';
import { core } from '../src/i18n/english.ts';
import { inRoot } from './launcher/root.mjs';
import { licencesText } from './licencesInApp.mjs';

const waitS = maxWaitMs / 1_000;
const code = (text) => `\`${text}\``;
const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
const table = (heads, rows) =>
  [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const connecting = ['startSignIn', 'verifySignIn'];
const proxied = routeNames.filter((name) => !connecting.includes(name));

const asksOf = (name) => {
  const { askFirst, askFirstWhen = [] } = getRouteByName(name);
  if (askFirst) return 'always';
  if (name === 'generateListing') return 'when this listing was written before, unless `intent` is `adapt_marketplace`';
  return askFirstWhen.length > 0 ? `when the body has ${askFirstWhen.map(code).join(' or ')}` : 'no';
};

const costs = {
  uses_listing: 'a listing of the plan',
  market_fees: 'marketplace fees',
  plan_charge: 'a charge of the plan',
  extras: 'extra listings',
};

const costOf = (name) => {
  const { cost, quota, reversible } = getRouteByName(name);
  const facts = [
    cost && costs[cost],
    quota && `daily budget ${code(quota)}`,
    reversible === false && 'cannot be undone',
  ];
  return facts.filter(Boolean).join('; ') || 'none';
};

const memoryOf = (name) => {
  const floor = findRouteFloor(name);
  if (floor === null) return '';
  const { ms, perMinute, once } = floor;
  return `${once ? 'refused again within ' : ''}${ms / 1_000} s; ${perMinute} a minute`;
};

const routeRow = (name) => {
  const { method, path, summary, askFirst } = getRouteByName(name);
  const scope = getRequiredScope(name, askFirst === true);
  return [code(`${method} ${path}`), code(name), summary, asksOf(name), scope, costOf(name), memoryOf(name)];
};

const routeHeads = ['Call', 'Name', 'What it does', 'Asks the person', 'Scope', 'Cost', 'Answer cached'];
const routeTables = groups.map((group) => {
  const rows = proxied.filter((name) => getRouteByName(name).group === group).map(routeRow);
  return `### ${group}\n\n${table(routeHeads, rows)}`;
});

const bodyOf = ({ requestBody }) => {
  const schema = requestBody?.content['application/json']?.schema;
  const fields = Object.keys(schema?.properties ?? {}).map((name) =>
    code(schema.required?.includes(name) ? name : `${name}?`),
  );
  return [fields.join(', '), requestBody?.content['image/*'] && 'the bytes of one image'].filter(Boolean).join(', or ');
};

const queryOf = ({ parameters }) => {
  const names = parameters.filter((one) => one.in === 'query').map(({ name }) => `${name}=…`);
  return names.length === 0 ? '' : `?${names.join('&')}`;
};

const ownRow = ([path, method, operation]) => [
  code(`${method.toUpperCase()} ${path}${queryOf(operation)}`),
  operation.summary,
  operation.security.length === 0 ? 'no' : 'yes',
  bodyOf(operation),
  Object.keys(operation.responses)[0],
];

const ownTable = (version) => {
  const operations = Object.entries(createBridgeOpenApi('', version).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [path, method, operation]),
  );
  const own = operations.filter(([, , { tags }]) => tags.includes('Companion'));
  return table(['Call', 'What it does', 'Token', 'Body', 'Status'], own.map(ownRow));
};

const argumentsOf = ({ properties = {}, required = [] }) =>
  Object.keys(properties)
    .map((name) => code(required.includes(name) ? name : `${name}?`))
    .join(', ') || 'none';

const toolTable = table(
  ['Tool', 'Arguments', 'Read-only', 'Description'],
  toolList.map(({ name, description, inputSchema, annotations }) => [
    code(name),
    argumentsOf(inputSchema),
    annotations.readOnlyHint ? 'yes' : 'no',
    description,
  ]),
);

const headers = [
  [
    '`Authorization: Bearer TOKEN`',
    'sent',
    'The token from pairing. Required for every call except those marked "no" below.',
  ],
  ['`Authorization: Pairing SECRET`', 'sent', 'Only to read a pairing, with its secret.'],
  ['`Content-Type`', 'sent', '`application/json`, or `image/…` for photos.'],
  ['`Accept`', 'sent', 'On `/companion/guide`: `application/json` instead of Markdown.'],
  [
    '`Prefer: wait=N`',
    'sent',
    `How many seconds a call may wait for the person, or for its place in the line of generations, at most ${waitS}. \`?wait=N\` does the same where it is listed below.`,
  ],
  [
    '`Companion-Reason`',
    'sent',
    'Your reason, percent-encoded; the prompt shows the first 500 characters as your words.',
  ],
  [
    '`Idempotency-Key`',
    'sent',
    'On `POST /listings` and `POST /companion/items`: 1 to 64 printable ASCII characters. For 24 hours the same key and body from the same assistant make only one draft, or one item.',
  ],
  ['`Last-Event-ID`', 'sent', 'On `/companion/events`: the last event you received; later ones are sent first.'],
  ['`Location`', 'received', 'With 202: where to read the approval or the item.'],
  ['`Companion-Source: cache`, `Age`', 'received', 'The answer comes from the cache; `Age` is in seconds.'],
  [
    '`Companion-Outcome`',
    'received',
    '`NOT_CHECKED`: the service claims the act, but the listing does not show it, or not all of it. Tell the person.',
  ],
  [
    '`Companion-Unknown-Host`',
    'received',
    'Hosts of listing pages in the answer that are new to the companion. Give the person no link there; they open the page in the companion.',
  ],
  ['`WWW-Authenticate`', 'received', 'With 401: `Bearer`, or `Pairing` for the state of a pairing.'],
  ['`Retry-After`', 'received', 'Seconds to wait, with 429 and some others.'],
  ['`Idempotent-Replayed`', 'received', 'The draft or the item of this key existed already.'],
  ['`Allow`', 'received', 'With 405: the methods that this path supports.'],
];

/** The meanings of codes that have several sentences, or that only the bridge uses. */
const meanings = {
  INVALID_REQUEST: 'The request is invalid; `field` says where.',
  UNAUTHORIZED: 'No token, or an unknown one. Pair first.',
  NO_UPGRADE: 'The bridge supports plain HTTP only.',
  NOT_ALLOWED: 'The scope that the person gave this assistant does not include this.',
  NOT_FOUND: 'It does not exist, or is not yours.',
  WRONG_STATE: 'Not possible in the current state of the listing or approval.',
  TOO_LATE: 'Too late to be changed.',
  NOT_NOW: 'This cannot be read now without asking the person.',
  MISSING_PATH: 'There is no such file or folder in the allowed folders.',
  NO_PHOTOS_FOUND: 'It contains no photos.',
  ASSISTANT_PAUSED: 'The person has paused this assistant.',
  NOT_FOR_ASSISTANTS: 'This part of the service is not for assistants.',
  UNKNOWN_ROUTE: 'Neither the companion nor the service has this path.',
  ORIGIN_REFUSED:
    'The request has an `Origin`, or a `Sec-Fetch-Site` other than `none`: web pages cannot call the bridge.',
  METHOD_NOT_ALLOWED: 'The path supports other methods; see `Allow`.',
  SLOW_BODY: 'The request did not arrive in time.',
  BODY_TOO_LARGE: 'The body is larger than 1 MiB.',
  JSON_ONLY: 'Send the body as `application/json`.',
  EXPECTATION_REFUSED: 'The only supported expectation is `100-continue`.',
  WRONG_HOST: '`Host` is not the address of the bridge, or is sent twice.',
  HEADERS_TOO_LARGE: 'The headers are too large.',
  PORT_SHARED: 'Another user of this computer has connections on the port of the bridge, so no pairing begins.',
  TOO_MANY_STREAMS: 'Too many event streams are open.',
  TOO_MANY_WAITING:
    'Too many approvals are pending, or this one was changed or withdrawn too often; see `Retry-After`.',
  BUDGET_SPENT: 'The daily limit that the person set for this assistant is used up.',
  UNEXPECTED_ANSWER: 'The service sent an answer that cannot be interpreted.',
  PHOTOS_UNREADABLE: 'A photo of the listing cannot be read, so the person cannot be shown what they would approve.',
  NOT_A_PHOTO: 'The bytes are not a photo, or not of the declared type.',
  NOT_CHECKED: 'The service says it is done, and for ten minutes the listing could not be read to check it.',
  REFUSED_YET_DONE:
    'The service refused it, but the listing shows that it is done. Look at the listing; do not ask again.',
  NO_ANSWER: 'The service did not answer. Read before you ask again.',
  ACCOUNT_CHANGED: 'Another account is connected since the request; `error` says whether it was sent.',
};

const meaningOf = (name) => {
  const said = meanings[name] ?? core.problems[name];
  if (said === undefined) throw new Error(`scripts/makeDocs.mjs has no meaning for the code ${name}.`);
  return said.replace(/\{\{\w+\}\}/g, '…');
};

const codeTable = table(
  ['Code', 'Status', 'Meaning'],
  Object.entries(problemStatuses)
    .toSorted(([a, one], [b, other]) => one - other || (a < b ? -1 : 1))
    .map(([name, status]) => [code(name), status, meaningOf(name)]),
);

const serviceErrors = new Map(proxied.flatMap(listRouteErrors).map((error) => [error.code, error]));
const wordsOf = ({ code: name, meaning, whatToDo }) => {
  const fix = publishFixes[name];
  return fix ? [fix.sentence, `${fix.label}.`] : [meaning, whatToDo];
};
const serviceCodes = table(
  ['Code', 'Meaning', 'What to do'],
  [...serviceErrors.values()].map((error) => [code(error.code), ...wordsOf(error)]),
);

const refusedTable = table(
  ['Call', 'For whom'],
  refusedRoutes.map(({ method, path, access }) => [code(`${method} ${path}`), access.replaceAll('_', ' ')]),
);

const reference = (version) => `
# Bridge reference

<!-- Generated by "npm run docs" from the code. Do not edit. -->

The bridge is the companion's API for assistants on the same computer. It listens on \`http://127.0.0.1:47800\`, or on the
port given by \`--bridge-port\`; while the companion runs, the file \`bridge.json\` in the data folder contains the address. It
serves the listing service's own interface under the service's own paths, and some calls of its own.
\`/companion/openapi.json\` has the schemas of requests and answers; \`/companion/guide\` explains step by step how to work.

A call that asks the person answers \`202\` with \`{"approval": {"id", "state", "summary", "expiresAt", "pollAfterMs"}}\`.
Read it at \`/companion/approvals/{id}\`. Nothing in a request can stand for the person's approval: only
the person can confirm, and driving the companion's window or a browser does not help. A refusal is
\`{"error": sentence, "code": CODE, "field"?: name}\`.

## Headers

${table(['Header', 'Direction', 'Meaning'], headers)}

Every answer has \`Cache-Control: no-store\`. There are no CORS headers.

## Limits

A JSON body has at most 1 MiB and 32 levels, and no duplicate keys. A photo has at most ${maxPhotoBytes / 2 ** 20} MiB.
At most 24 upload addresses of one listing are valid at a time, and 2,000 in all; three photos are received at a time, and
more wait. A wait lasts at most ${waitS} seconds; 32 requests of one assistant may wait at a time, and any further one is answered
at once. Five prompts of one assistant may be pending, and twenty in all. An assistant may have four event streams, all assistants
together forty. A pairing lasts ten minutes, and five may wait. A name with the word Companion, or a name that poses as the
person, is refused. Sixteen photo reads of one assistant may wait, and any further one is \`SLOW_DOWN\`. The window comes forward
at most once in five seconds, for all callers.

## The companion's own calls

\`?\` marks optional fields. Status is that of success.

${ownTable(version)}

An approval is \`pending\`, \`approved\`, \`sending\`, \`done\`, \`failed\`, \`unconfirmed\`, \`declined\`, \`expired\`, \`withdrawn\` or
\`superseded\` (then \`supersededBy\` names its successor). When it is \`done\`, \`answer\` has the service's status, headers and body.

The service's answer to an act proves nothing, so the companion then reads the listing. \`done\` with \`code\` \`NOT_CHECKED\` means
that the service claims the act and that the listing does not show it, or not all of it; \`outcome\` is the sentence that the person
reads. A \`Prefer: wait=N\` with this result has \`Companion-Outcome: NOT_CHECKED\`, and tools answer the same \`code\`.
\`CONTRADICTED\` means that the listing shows otherwise; a wait ends with it at once. A tool whose wait ends before the outcome is known
answers \`under_way\` instead of \`waiting_for_person\`: the person said yes.

\`liveUrl\` is the page of the listing, as it was read. If its host is neither the service's nor that of an earlier listing,
\`liveUrlNotChecked\` has only the host, and the person opens the page in the companion after a question. Other answers of the service
are unchanged; \`Companion-Unknown-Host\` names such hosts.

One prompt of an assistant is pending per act on a listing. Two requests are about the same if asker, act, listing and places (the
marketplace, or a channel) are the same, by any route, tool or batch. A request with other values supersedes the pending prompt; a
yes to the older one has no effect. Within ten minutes an assistant may change a prompt twice: supersede it, withdraw it, or change
its listing, so that it is dropped or renewed. After that, a further request is refused (\`TOO_MANY_WAITING\`, with
\`Retry-After\`) until the first change is ten minutes old or the person says yes to one: the third request after two withdrawn or
dropped prompts, the fourth after two superseded ones. A prompt that would be renewed then ends (\`APPROVAL_WITHDRAWN\` in
\`code\`). Changes of the person, of others and of the service do not count. Batches count on any subject: after two batches that
ended through such changes without any answer of the person, the third is refused. Other places or another name count as a change.
A request without a listing, such as one for seller defaults, is compared by its route and parameters.

After a no, the same request stays refused with \`PERSON_DECLINED\` for ten minutes, at each of its places, until the person says yes
to the declined request. A no to a prompt that was dropped, withdrawn or superseded at the same moment counts as well, also for later
requests about the same and for the rows of a batch. Within these ten minutes, one more request is shown if a relevant fact differs:
price (by 5 % or more), title, photos, condition, category, quantity, format or policies; after \`wrong_details\` also any other price,
the condition note, description, an item specific, Best Offer or weight; without a listing, any field. No fact allows another request
to disconnect or to delete a template. A prompt that you change back to the declined request ends (\`APPROVAL_WITHDRAWN\`). A later
yes at every place allows further requests with such differences; the declined request stays refused. A title in another case and
photos in another order are no difference. A batch omits refused requests. The error and the approval have \`declinedBecause\`
(\`no\`, \`wrong_details\` or \`not_asked_for\`) and \`retryAfterS\`. Counts are kept on disk.

A prompt is dropped as soon as the companion learns that its act is impossible: its listing has ended, was sold, published or
deleted, or its template or account is gone. It is then \`superseded\`, and \`outcome\` and \`code\` say why.

\`POST /listings/upload-url\` returns the service's slots with addresses of the companion in \`uploadUrl\`; assistants never get the
service's own addresses. An address is valid for 15 minutes, for photos of exactly the requested type, until a prompt about the
listing is shown, the assistant is paused or revoked, or another account is connected (\`UPLOAD_CLOSED\`). If the service refuses the
bytes, its status is passed on.

Events are \`approval\` and \`item\`, each with the record that the calls above return, and \`listing\` with \`listingId\`, \`news\`,
\`status\`, \`title\` and \`at\`: \`written\` when the generation of a listing that is not an item's has finished, \`sold\` when the
companion sees that one has sold. An assistant gets the news of the listings that it may see. Event ids are counted for each assistant
and increase within one run of the companion; after an unknown id, the stream begins with the current state of everything and the news of this run.

## Warnings

An item in review, a publish that waits for the person, and a listing in the answer of a tool have \`warnings\`, an array of \`code\`
and \`sentence\`. A warning refuses nothing. In the person's own batch, a row with warnings is unticked. The codes: \`TITLE_SHORT\`
(under 25 characters), \`TITLE_SHARED\` (by three listings or more), \`CATEGORY_GENERAL\`, \`PRICE_SHARED\` (by five or more, and by
more than half), \`PRICE_UNDER_FEE\`, \`DESCRIPTION_STALE\`, \`SPECIFICS_MISSING\`, \`PHOTO_BLURRED\`. The answer that creates an item
also has \`PHOTOS_REPEATED\` or \`ITEM_EXISTS\`. Only listings that are not live yet are compared, and an assistant that may touch only its own listings
is told only about these. The proxied answers of the service stay as they are.

## Assistants that see only their own listings

The person can limit an assistant to the listings that it made. Any other listing, whether it exists or not, is
\`NOT_YOUR_LISTING\`. \`GET /listings\` then pages through its own listings, from the copies on this computer after the newest 200 were
read, and its cursors count only these. \`GET /notifications\` has those of the newest notifications that name one of its listings;
\`unread\` counts these, and there is no further page. The insights, \`read_sales\` and the calls that mark notifications are about the
whole shop: they are refused with \`OWN_LISTINGS_ONLY\`. The standing stays that of the whole account, because plan, credits and extras
decide whether a listing can be made.

## The shelf

Place, SKU, tags and note of a listing are known to the person only. An assistant sees and changes them with the right \`shelf\`,
which the person gives under Assistants; with a proof set up, giving it needs the proof. Without it, \`get_listing\` answers \`shelf\`
null, and each use of it is refused with \`NOT_ALLOWED\`. With it, \`list_listings\` takes \`sku\`, \`place\` and \`tag\` and searches the copies
on this computer (\`ageS\` null), and \`edit_listing\`, \`create_listing_from_photos\` and \`POST /companion/items\` take \`shelf\`. Over HTTP,
\`/companion/listings/{listingId}/shelf\` reads and changes it, \`GET /companion/shelf\` searches it, and on the command line
\`shelf ID\` and \`list --place\` do. Changes need no approval and are possible for live and sold listings too. What the person paid is
in no answer.

The label of an item is never sent: a photo of a QR code, a Code 128 or a Code 39 with a known SKU is left out of the listing. For an
assistant without the right, every photo of such a code is left out, except web addresses and product codes, and gives no SKU. So
it cannot tell a known SKU from another code. The person can use the photo all the same.

A row belongs to an account and follows its item to the listing. It survives a restart, the removal of an item with a listing,
disconnecting, another account and a restored backup. When items are merged, the empty fields of the first are filled from the
others in their order, and the tags are united. When an item is split, the new item gets the place, the purchase day and source and
the tags; SKU, cost, note and package stay with the first.

## Waiting over MCP

A tool with \`waitS\` waits up to that many seconds, at most ${waitS}, and answers as soon as there is news. A client with a
\`progressToken\` gets its progress. \`notifications/cancelled\`, or a closed connection, ends the wait and takes nothing back. The
same call of the same assistant resumes its earlier work: an item for a day, also after a kill of the companion; an approval for ten
minutes, up to a hundred for each assistant, and then while it is pending. Over HTTP, the revision 2025-11-25 gets an
\`Mcp-Session-Id\` when it connects, which identifies its calls and grants no right.

\`check_request\` without an id lists the open requests of the assistant, a batch as one, and \`withdraw_request\` takes one back. It is a
tool of its own, so that \`check_request\` stays one that only reads. An argument that a tool does not have is named in the answer.

A paused assistant keeps its connection and its tools; each tool answers \`ASSISTANT_PAUSED\` with the next step. All other paths
answer 403.

The same \`create_listing_from_photos\` call returns the same item. While the item is made, that holds for a day. Once it is in review
or live, the call names it in the warning \`ITEM_EXISTS\` and makes nothing, at any time, as long as the photos have the same content;
for one more listing of these photos, call with another \`note\`. After the listing has ended or was deleted, or if there is another
photo, the call makes a new item. If the item has stopped and \`retriable\` is true, the call resumes it, at most every two seconds:
for example after extras were approved. So does \`POST /companion/items\` with the same \`Idempotency-Key\`; without a key, each such
request makes an item, with the warning \`PHOTOS_REPEATED\`. An item that the person cancelled is not resumed. For an assistant, extras that were set aside for others do not count: its \`nextListing.kind\` is then \`extras_approval_required\`.

A client that opens addresses for the person (capability \`elicitation.url\`) gets \`/companion/window\` once for each approval and
for each page that is offered to the person. The address only brings the companion's window forward, and the client's reply decides
nothing. There is no form, and no page of the service. Clients of 2025-11-25 get \`elicitation/create\` during their call, and
\`notifications/elicitation/complete\` when the person says yes within it; those of 2026-07-28 get an \`input_required\` result and
repeat the call. Error \`-32042\` is not used, because it would replace the answer that names the approval.

## The service's calls

After a fault of the service, a \`GET\` is sent a second time after a short wait, or after the service's \`Retry-After\` if that is
5 s at most.

"Asks the person" is the rule of the built-in table; the service's own list of routes can only add to it. "Scope" is the right that
the assistant needs: \`read\`, \`draft\` or \`ask\`; a call that asks the person, or offers a page to them, needs \`ask\`. "Answer
cached" says how long the cache answers the same call, and how many different calls of its route reach the service per minute, from
all assistants together; further ones get \`429 SLOW_DOWN\` with \`Retry-After\`. Calls are the same if they agree in the parameters
that the interface names. A call with an unknown parameter gets no cached answer and is sent once in that time. Each write of the
companion invalidates cached answers, and so does an answer that shows another status, title, price or quantity of a listing: a sale
that a list shows is in the next read of the listing, too. If the calls of a minute are used up, standing and connection are still
answered, with the last answer and its \`Age\`. A listing in generation is read again after ${limits.pollMs.least / 1_000} s, once for all
readers; so are standing and connection while the person has a page of the service open.

${routeTables.join('\n\n')}

### Not through the bridge

\`${connecting.map((name) => `${getRouteByName(name).method} ${getRouteByName(name).path}`).join('` and `')}\` answer \`CONNECTION_IS_THE_PERSONS\`:
the person connects the account in the companion. These answer \`NOT_FOR_ASSISTANTS\`:

${refusedTable}

## Tools (MCP)

\`POST /mcp\` with the same token, one message per request. \`npm run -s cli -- mcp --identity ID\` serves the same tools over
stdio, with an identity from the configuration of one client. Fields whose names begin with \`untrusted\` contain text written
by other people. Output schemas name only the fields that decide the next call; answers contain more. The guide is the resource
\`companion://guide\`.

Beside its text, \`get_listing\` has the first photo as an image of at most 768 pixels, or the photo that \`photo\` names.
\`view_photos\` has up to four, and no output schema: some clients show their model nothing beside structured content. Sentences about
what a call did not do, such as ignored arguments, are the field \`notices\`. Clients
with the extension MCP Apps get a receipt card for the answers of \`check_request\`. It loads no resource and has no controls. Its text
comes with the answers, in the person's language (\`_meta\`, \`listing-companion/receipt\`).

\`publish_listing\`, \`change_live_listing\` and \`end_listing\` take up to 200 listings in one prompt: \`listingIds\`, or \`rows\` with
the changes of each listing. The answer has the \`requestId\` of the batch, \`counts\` of its listings by state, and \`rows\` for the
listings that are decided, refused or weak. A refused listing does not stop the others. While the batch is open, the same rows in
any order are answered with it, over MCP and \`POST /companion/approvals/batch\`, also after a restart.

${toolTable}

## Codes

The companion's own:

${codeTable}

Refusals of the service keep its status, code and body. \`RATE_CHANGED\` always has today's \`rateCents\`, from the service or the
companion. The interface of the service names these codes:

${serviceCodes}
`;

const makeDocs = async (folder) => {
  const { version } = JSON.parse(await readFile(inRoot('package.json'), 'utf8'));
  const style = await prettier.resolveConfig(inRoot('docs', 'bridge.md'));
  for (const [name, text] of [
    ['bridge.md', reference(version)],
    ['licences.md', licencesText()],
  ])
    await writeFile(join(folder, name), await prettier.format(text, { ...style, parser: 'markdown' }));
};

await makeDocs(process.argv[2] === undefined ? inRoot('docs') : resolve(process.argv[2]));
