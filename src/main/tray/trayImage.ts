/** The image is inlined because the tray needs it before any file is read. */
const trayPng =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAAh1BMVEVMaXEuak4ua1Ava08uaU8va0' +
  '8ua04uak4uak4uak8wbksua04vak8va08ua08qf1UvZ0swbFEvaU4kbUgua05VVVUuak8ua04vak8uak4uak4ua04uaU4ta04zZk' +
  'wva08zZkwAAAAva0/////e6OPg6eXe5+Pf6ORXh3E6c1g5cldWh3BYiHID7jPGAAAAInRSTlMAiUyrTYDmiH+qJano95oGGy9BB9' +
  'YD++C9727FXk4K/hQB3VzTUQAAAAlwSFlzAAALEwAACxMBAJqcGAAAAK5JREFUOMu9k8cOwjAQRCeFmNB7h4CdCvz/9xELAhbxri' +
  '+IOc57Wu1aMvCfjL1INunYBCGN2IzIFKRoC09wpQ3d3jNVlJShy0wplVIz6qpSOhVh6KqoeU5tqpsyVfmNuuXrirYhrREuwTCky/' +
  'AoI3wJlxEhBM2IZWwX+u8t5hur4H8OOe0tvGs+1nnBc2Cy5jnQG/AcmG55DsyGPAeOK54Dh4TnwM7BgTCI/d/+2weg4zrp6ko74w' +
  'AAAABJRU5ErkJggg==';

export const pendingPng =
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

/** macOS needs black images in two scales and colours them itself. */
const macTemplatePngs = {
  quiet: {
    points16:
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAA40lEQVQ4y2Ng' +
      'IA4wEiOpAcR1QFwLxFVAXA/EzUCsBpVnxmcISPI8EP8H4r9o9B0gViVkCB8Qv4dq2AXEDUD8BYh/Q8XuEXIJL1TDdyAWg4q1QTV/J8YQkAEfoQ' +
      'ojgJgHiA8heeUPIUNAXvgAVfQT6pr/aBibIUzIBnxEU/iXSEPg0dgOlQQF3D8smv8jyYPondjSwjQ0RfgM2IFuAMyQZXgMgXnhNhAro8cELEDY' +
      'gXgLFkOwaWbCZQgoUA9DNfxCMghZM85UCTNEHIgvIrmAKM0MaAoUoEl7Nyma0QMWOYAxsjUA5KNqcATal0YAAAAASUVORK5CYII=',
    points16Twice:
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAA4UlEQVRYw+2U' +
      'OwrCQBRFI4KCtZ1IgmDtGuyNS3AJbkHLyRbcgXENlm7BOlWws7QQfN4irwl+ZsZ5eRY5cKpA7iGfiaKWP6QHM1hCsnAbOsBYDotFlB4BVIUHgX' +
      '7QSAWMq2txExHvxplEOqJ+M9/XZEIFxLXrE+lv4tWNEo9x7wgS0GgHOEWQdgRpR2QNRKSfAjpwJxxw+PYUujAXDNjbfAt9eBQKWNj+EQN4Cjy+' +
      'cT2YhvCsNc6MYKE1zkzhRWucmcGr1jgzhzetcWYJ71rjzAo+tMaZteY4k1Zne+5ywrUwT5Arq0of2i+LAAAAAElFTkSuQmCC',
  },
  waiting: {
    points16:
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAACXBIWXMAAAPoAAAD6AG1e1JrAAABJElEQVQ4y2Ng' +
      'IA4wEiOpAcR1QFwLxFVAXA/EzUCsBpVnxmcISPI8EP8H4r9o9B0gViVkCB8Qv4dq2AXEDUD8BYh/Q8XuEXIJL1TDdyAWg4q1QTV/J8YQkAEfoQ' +
      'ojgJgHiA8heeUPlH0Xl3dAXvgAVfQT6pr/SBhkyC8o+wGSS5iQDYC54A9aIP5DMugp1KLXQKyPHo3tUEW/kTTBDLkCxOlAHA7EgdBo7kdOHzDG' +
      'NCRDYJovArEfEJ9EchGI7YKemGCGLEMKCxCdBcQHkFyEbDALsiGwAGEH4s1QRY+BOBTJWzAMM8QRPTqZkKL1FDTAAqExQJQByIaIQBNPLQ4vgA' +
      'KWFV/eAAEdIO4FYlcgvoUUnaD8YU5sFmaHGsgGxE5QzAZTBADSNHCtkH5eBgAAAABJRU5ErkJggg==',
    points16Twice:
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAACXBIWXMAAAPoAAAD6AG1e1JrAAABNUlEQVRYw2Ng' +
      'GAWDELABcScQPwPi/0TgBmo7oINIi2nmiGdkOOA/1OFUAf8pwB20coAsVE6eHo7AZTkMKNDaEeiGkRtNHdRygDyavBKt0wQ2gxTIsJxsR/ynAe' +
      '4YaAeQ5Ij/A+2I/wPtiE4qWDIBiFWRzASxJyPJ++JzACMQz6KC7yKAuB+Ie6FsGADx1xAKBWYgXkWi5Z5QvRPxqOmFqtEkJi2wA/FeIi1vh+q5' +
      'Q4TaW6RkSS4gPkqEoYR8jo67SXGECBBfI5DgyMk9JAFpIH6AwyBQCg8lwwHBpDoCZNELKgQ/DPeTU1HpA/F7Kjmgl9zq2hGIvw9EFCADPyD+DT' +
      'VoMj0SITYQB8T/kAzrJcHyTmq1oPPQ4vMWEZbfoHZHxhdatusQERKdDHQEoVDH9ELZgxMAABJIxWs3bwILAAAAAElFTkSuQmCC',
  },
};

export type TrayImage = { scales: readonly { scaleFactor: number; dataURL: string }[]; isTemplate: boolean };

export const chooseTrayImage = (kind: 'quiet' | 'waiting', platform: NodeJS.Platform): TrayImage => {
  if (platform !== 'darwin') {
    const dataURL = kind === 'quiet' ? trayPng : pendingPng;
    return { scales: [{ scaleFactor: 1, dataURL }], isTemplate: false };
  }
  const { points16, points16Twice } = macTemplatePngs[kind];
  return {
    scales: [
      { scaleFactor: 1, dataURL: points16 },
      { scaleFactor: 2, dataURL: points16Twice },
    ],
    isTemplate: true,
  };
};
