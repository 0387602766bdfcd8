/** How the companion works, its keys, and whom to ask. */
export const help = {
  title: 'Help',
  guide: 'How it works',
  photosTitle: 'From photos to a listing',
  photos:
    'Drop a folder of photos on the window; each folder becomes one item. The photos are turned, made smaller and freed of place and camera data on this computer, then sent. The service writes title, description, category and price from them. Your own files are never changed.',
  reviewTitle: 'Your look',
  review:
    'A written item waits under Items. Read it over and change whatever is not right; what the marketplace still needs is said beside the field. Nothing is live yet.',
  yesTitle: 'One yes',
  yes: 'Publishing shows one sheet with the photo, the price and the marketplace’s fee. It goes live only after your yes there. When it sells, a notification says so.',
  neverTitle: 'What never happens without your yes',
  never:
    'Publishing, changing or ending a live listing, deleting, writing a text anew, turning extras on or setting them aside, opening a checkout, changing policies and seller defaults, disconnecting, and sending a message to the service. Each asks with a sheet of its own, and nothing can answer it but you.',
  assistantsTitle: 'Assistants',
  assistants:
    'AI assistants on this computer can work through the companion once you let them in. They can add photos, have listings written, edit drafts and ask for the rest. They cannot say yes, see your key, open a checkout or go past the limits that you set. Everything they do is listed under Assistants.',
  keyTitle: 'Your key and the practice service',
  key: 'The key to your account lies in the keychain of this computer, and nowhere else; no assistant and no log ever gets it. The practice service runs on this computer alone: no account, no money, nothing leaves it. Try everything there first.',
  tour: 'Show the tour',
  keys: 'Keys',
  trouble: 'When something does not work',
  offline: 'No connection',
  offlineText: 'A line at the top says so, and what still works. It goes by itself; nothing is lost.',
  stopped: 'An item stands still',
  stoppedText: 'Open it: it says why, and offers the next step.',
  reconnect: 'The service no longer knows the companion',
  reconnectText: 'Connect again under <account>Account</account>. Items and listings are kept.',
  diagnostics: 'Somebody helps you',
  diagnosticsText:
    'Logs and a diagnostics file are under <settings>Settings</settings>. Read the file before you send it.',
  contact: 'Write to the service',
  contactText: 'Your message goes to the people of the service. You see it once more before it is sent.',
  reply: 'Reply to',
  replyWrong: 'An e-mail address is needed for the answer.',
  message: 'Message',
  messageWrong: 'What would you like to say?',
  send: 'Send…',
  waits: 'It waits for your yes.',
  notSent: 'It was not sent. What you wrote is still here.',
  sent: 'Sent. The answer comes by e-mail to {{email}}.',
  notConnected: 'Connect first; then a message can be sent from here.',
} as const;
