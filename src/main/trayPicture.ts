/** A price tag, 32 pixels square: in the code, as the tray needs it before anything of the disk is read. */
export const trayPicture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAAh1BMVEVMaXEuak4ua1Ava08uaU8va0' +
  '8ua04uak4uak4uak8wbksua04vak8va08ua08qf1UvZ0swbFEvaU4kbUgua05VVVUuak8ua04vak8uak4uak4ua04uaU4ta04zZk' +
  'wva08zZkwAAAAva0/////e6OPg6eXe5+Pf6ORXh3E6c1g5cldWh3BYiHID7jPGAAAAInRSTlMAiUyrTYDmiH+qJano95oGGy9BB9' +
  'YD++C9727FXk4K/hQB3VzTUQAAAAlwSFlzAAALEwAACxMBAJqcGAAAAK5JREFUOMu9k8cOwjAQRCeFmNB7h4CdCvz/9xELAhbxri' +
  '+IOc57Wu1aMvCfjL1INunYBCGN2IzIFKRoC09wpQ3d3jNVlJShy0wplVIz6qpSOhVh6KqoeU5tqpsyVfmNuuXrirYhrREuwTCky/' +
  'AoI3wJlxEhBM2IZWwX+u8t5hur4H8OOe0tvGs+1nnBc2Cy5jnQG/AcmG55DsyGPAeOK54Dh4TnwM7BgTCI/d/+2weg4zrp6ko74w' +
  'AAAABJRU5ErkJggg==';
