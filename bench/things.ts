/** The things that the titles of made listings name. */
export const things = [
  'film camera',
  'paperback novel',
  'running shoes',
  'ceramic fox',
  'desk lamp',
  'board game',
  'tin robot',
];
