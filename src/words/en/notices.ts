/** What is told outside the window, and around every screen. */
export const notices = {
  written: 'Ready to review',
  manyWritten: { one: '{{count}} listing is ready to review', other: '{{count}} listings are ready to review' },
  writtenText: 'Nothing is published before you say yes.',
  sold: 'Sold',
  manySold: { one: '{{count}} listing is sold', other: '{{count}} listings are sold' },
  soldText: 'Open it to see what to do next.',
  untitled: 'A listing',
  asks: '{{name}} asks: {{act}}',
  plain: '{{text}}',
  joined: '{{before}} · {{next}}',
  connectionEnded: 'The connection to your account has ended',
  connectAgain: 'Connect again to go on; everything is kept as it is.',
  offline: 'The service cannot be reached. The companion keeps trying; nothing is lost.',
  folderGone: 'The watched folder “{{name}}” is not there. Put it back, or choose another one in Settings.',
  keychainMissing: 'The companion was installed without access to the system keychain. {{then}}',
  libsecretMissing:
    'The companion was installed without access to the system keychain (libsecret is missing). {{then}}',
  keychainUnused: '{{why}} {{then}}',
  thisRunOnly: 'Your key is kept for this run only, so you will have to connect again after the next start.',
} as const;
