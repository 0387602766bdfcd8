/** What came of an approved request. */
export const outcomes = {
  done: 'Done.',
  published: 'Published. The listing is live.',
  ended: 'The listing has ended.',
  deleted: 'The listing is deleted.',
  revised: 'The live listing is changed.',
  writing: 'The listing is being written again.',
  checkout: 'The checkout page is ready for you to open. Nothing is charged until you pay there.',
  billing: 'Your billing pages are ready for you to open.',
  aside: 'The extras are set aside for 24 hours. A receipt comes by e-mail.',
  policies: 'The starter policies are made.',
  defaults: 'The defaults are saved.',
} as const;
