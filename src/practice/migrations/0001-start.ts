/** Times are epoch milliseconds; money is in cents or minor units. */
export const sql = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE people (
  userId TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT,
  language TEXT NOT NULL DEFAULT 'en',
  avatar TEXT,
  autoDelistDefault INTEGER NOT NULL DEFAULT 0,
  plan TEXT NOT NULL DEFAULT 'free',
  billing TEXT NOT NULL DEFAULT 'none',
  credits INTEGER NOT NULL DEFAULT 0,
  trialEligible INTEGER NOT NULL DEFAULT 1,
  trialEndsAt INTEGER,
  extrasEnabled INTEGER NOT NULL DEFAULT 0,
  extrasOnAt INTEGER,
  extrasReceipt INTEGER NOT NULL DEFAULT 0,
  homeSite TEXT NOT NULL DEFAULT 'MKT_US',
  accountId TEXT,
  accountName TEXT,
  connectedAt INTEGER,
  acknowledgedAt INTEGER,
  sellerSetup INTEGER NOT NULL DEFAULT 1,
  lastRefusal TEXT,
  confirmedSites TEXT NOT NULL DEFAULT '[]',
  sellerDefaults TEXT NOT NULL DEFAULT '{}',
  templateId TEXT,
  emailPreferences TEXT NOT NULL DEFAULT '{}',
  pushPreferences TEXT NOT NULL DEFAULT '{}',
  referralCode TEXT NOT NULL,
  referredBy TEXT,
  createdAt INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
  keyId TEXT PRIMARY KEY,
  userId TEXT NOT NULL REFERENCES people,
  digest TEXT NOT NULL,
  label TEXT NOT NULL,
  madeBy TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  lastUsedAt INTEGER NOT NULL,
  revokedAt INTEGER
) STRICT;
CREATE INDEX keysOfPerson ON keys (userId);

CREATE TABLE challenges (
  challengeId TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  digest TEXT NOT NULL,
  label TEXT NOT NULL,
  name TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  usedAt INTEGER,
  createdAt INTEGER NOT NULL
) STRICT;
CREATE INDEX challengesOfAddress ON challenges (email, createdAt);

CREATE TABLE mails (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  sentTo TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  code TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX mailsOfAddress ON mails (sentTo, seq);

CREATE TABLE journal (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  userId TEXT,
  listingId TEXT,
  facts TEXT NOT NULL
) STRICT;

CREATE TABLE calls (
  route TEXT NOT NULL,
  userId TEXT NOT NULL,
  calls INTEGER NOT NULL DEFAULT 0,
  effects INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (route, userId)
) STRICT;

CREATE TABLE budgets (
  userId TEXT NOT NULL,
  quota TEXT NOT NULL,
  day TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (userId, quota, day)
) STRICT;

CREATE TABLE listings (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  listingId TEXT NOT NULL UNIQUE,
  userId TEXT NOT NULL REFERENCES people,
  status TEXT NOT NULL,
  processingError TEXT,
  processingErrorCode TEXT,
  marketplaceId TEXT NOT NULL,
  listingLanguage TEXT NOT NULL,
  marketAccountId TEXT,
  templateId TEXT,
  additionalContext TEXT,
  quantity INTEGER NOT NULL,
  title TEXT,
  description TEXT,
  categoryId TEXT,
  categoryName TEXT,
  condition TEXT,
  conditionDescription TEXT,
  price INTEGER,
  suggestedPrice INTEGER,
  itemSpecifics TEXT NOT NULL DEFAULT '{}',
  bestOffer TEXT,
  sku TEXT,
  notes TEXT NOT NULL DEFAULT '[]',
  format TEXT NOT NULL DEFAULT 'FIXED_PRICE',
  packageWeightGrams INTEGER,
  packageSize TEXT,
  location TEXT,
  visible INTEGER NOT NULL DEFAULT 1,
  autoDelistOnSale INTEGER NOT NULL DEFAULT 0,
  written INTEGER NOT NULL DEFAULT 0,
  everLive INTEGER NOT NULL DEFAULT 0,
  runId TEXT,
  marketListingId TEXT UNIQUE,
  soldQuantity INTEGER NOT NULL DEFAULT 0,
  publishedAt INTEGER,
  endedAt INTEGER,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL
) STRICT;
CREATE INDEX listingsOfPerson ON listings (userId, seq);
CREATE INDEX listingsInWork ON listings (status) WHERE status = 'processing';

CREATE TABLE idempotency (
  userId TEXT NOT NULL,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  listingId TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (userId, key)
) STRICT;

CREATE TABLE slots (
  imageId TEXT PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  listingId TEXT NOT NULL REFERENCES listings (listingId) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  contentType TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  UNIQUE (listingId, position)
) STRICT;

CREATE TABLE photos (
  listingId TEXT NOT NULL REFERENCES listings (listingId) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  imageId TEXT NOT NULL,
  file TEXT NOT NULL UNIQUE,
  contentType TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  uploadedAt INTEGER NOT NULL,
  PRIMARY KEY (listingId, position)
) STRICT;

CREATE TABLE uses (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  userId TEXT NOT NULL,
  listingId TEXT NOT NULL,
  source TEXT NOT NULL,
  approvalId TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX usesOfPerson ON uses (userId, at);

CREATE TABLE extrasApprovals (
  approvalId TEXT PRIMARY KEY,
  userId TEXT NOT NULL,
  keyId TEXT NOT NULL,
  count INTEGER NOT NULL,
  used INTEGER NOT NULL DEFAULT 0,
  rateCents INTEGER NOT NULL,
  endedAt INTEGER,
  createdAt INTEGER NOT NULL
) STRICT;
CREATE INDEX approvalsOfPerson ON extrasApprovals (userId, createdAt);

CREATE TABLE links (
  digest TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  userId TEXT NOT NULL,
  facts TEXT NOT NULL,
  usedAt INTEGER,
  createdAt INTEGER NOT NULL
) STRICT;
CREATE INDEX linksOfPerson ON links (userId, kind);

CREATE TABLE policies (
  policyId TEXT PRIMARY KEY,
  userId TEXT NOT NULL,
  marketplaceId TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  facts TEXT NOT NULL,
  createdAt INTEGER NOT NULL
) STRICT;
CREATE INDEX policiesOfPerson ON policies (userId, marketplaceId);

CREATE TABLE templates (
  templateId TEXT PRIMARY KEY,
  userId TEXT NOT NULL,
  facts TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL
) STRICT;

CREATE TABLE notifications (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  notifId TEXT NOT NULL UNIQUE,
  userId TEXT NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  listingId TEXT,
  readAt INTEGER,
  viewedAt INTEGER,
  createdAt INTEGER NOT NULL
) STRICT;
CREATE INDEX notificationsOfPerson ON notifications (userId, seq);

CREATE TABLE sales (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  userId TEXT NOT NULL,
  listingId TEXT NOT NULL,
  marketListingId TEXT NOT NULL,
  title TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  unitCents INTEGER NOT NULL,
  currency TEXT NOT NULL,
  buyer TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX salesOfPerson ON sales (userId, at);

CREATE TABLE invoices (
  invoiceId TEXT PRIMARY KEY,
  userId TEXT NOT NULL,
  text TEXT NOT NULL,
  amountCents INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE connections (
  connectionId TEXT PRIMARY KEY,
  userId TEXT NOT NULL,
  channelId TEXT NOT NULL,
  name TEXT NOT NULL,
  createdAt INTEGER NOT NULL
) STRICT;

CREATE TABLE channelListings (
  listingId TEXT NOT NULL REFERENCES listings (listingId) ON DELETE CASCADE,
  channelId TEXT NOT NULL,
  status TEXT NOT NULL,
  externalId TEXT NOT NULL,
  publishedAt INTEGER NOT NULL,
  endedAt INTEGER,
  PRIMARY KEY (listingId, channelId)
) STRICT;
`;
