/** A price tag, 32 pixels square: in the code, as the tray needs it before anything of the disk is read. */
export const trayPicture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAAh1BMVEVMaXEuak4ua1Ava08uaU8va0' +
  '8ua04uak4uak4uak8wbksua04vak8va08ua08qf1UvZ0swbFEvaU4kbUgua05VVVUuak8ua04vak8uak4uak4ua04uaU4ta04zZk' +
  'wva08zZkwAAAAva0/////e6OPg6eXe5+Pf6ORXh3E6c1g5cldWh3BYiHID7jPGAAAAInRSTlMAiUyrTYDmiH+qJano95oGGy9BB9' +
  'YD++C9727FXk4K/hQB3VzTUQAAAAlwSFlzAAALEwAACxMBAJqcGAAAAK5JREFUOMu9k8cOwjAQRCeFmNB7h4CdCvz/9xELAhbxri' +
  '+IOc57Wu1aMvCfjL1INunYBCGN2IzIFKRoC09wpQ3d3jNVlJShy0wplVIz6qpSOhVh6KqoeU5tqpsyVfmNuuXrirYhrREuwTCky/' +
  'AoI3wJlxEhBM2IZWwX+u8t5hur4H8OOe0tvGs+1nnBc2Cy5jnQG/AcmG55DsyGPAeOK54Dh4TnwM7BgTCI/d/+2weg4zrp6ko74w' +
  'AAAABJRU5ErkJggg==';

/** The same with a dot: something waits for the person. */
export const waitingPicture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAABF1BMVEVMaXEuaU82cFX///8va08ua04uak' +
  '4uak7///////////////////////////////////////8uak8ua08qf1UvZksua05VVVUkbEgua04vak8ua04zZkwzZkwAAAAwbksvak' +
  '8wbFEuak4vaU4va08ta04uak8uak4uaE4va0/////W4t3X493///////8va0/ZSA///////v7urpX++PbbUx70yLf++ffurJM5clfg6e' +
  'Xe6ONXh3He5+M6c1jf6ORThW6lv7P9/f00b1Pb5uHzx7bc5uL2+PekvrL8/fxShG2nwLXnimbvsJfurZTcVSDcVB/0ybhWh3BYiHKqwr' +
  'fJ2dLniWWpwrburJL1+Pb09/bni2fur5YYGyi7AAAAL3RSTlMATawFgOaJiPzTBpGTKvOOjSuqmgYb1gMH4L3FChQBJegv70H3TvtuXv' +
  '676Ojx8q587+gAAAAJcEhZcwAACxMAAAsTAQCanBgAAAEwSURBVDjLvZPXWsJAEIUpQhJAir0XsLfN7qZJFQTpiL2+/3OYDSQZk6zceS' +
  '7P+b+Z2TKh0P9oKR5DtuaCAAEBBRExCCDBD0yCaz7B3KcirpV5BDOLGOMSr4ZpVTFTlUMwq2bmFd6kzCmXcOWRdxbPKfwECpQwCwAEmk' +
  'XEPcFNvdluNzs9FJ4CO4swvn1rKK0RbSndfsQusboA8hdiqLIplZKLhE2sbTjAM3mVpxqQlDPn1qbdv2HIjr7FnENsr0yAuqK6wFjPuJ' +
  'exvG4Bd5oM9CCB+9zdY8DHOwRGV/BJ9vMm8GlAgF7+etXCwZ8tTB0eoQ4c8l7Pev7WyWmvS11gKM57v+cx6pOBnX+RpH8FwpFzQsdW/S' +
  'E5iwbtWSIl6hqlmi4mo5xdzWWkdFrKWv1/AAc/Z5BQMrmPAAAAAElFTkSuQmCC';
