/** What pictures for previews may cost. Beyond it a kept picture goes out, which says what time its price is of, or 503. */
export const shareLimits = {
  /** Pictures that wait to be drawn, with the one that is: they are drawn one after the other. */
  underWayMax: 8,
  /** Drawings begun within a second: each takes some 50 ms of a core. */
  perSecondMax: 4,
  /** Nobody waits longer than this for a picture. */
  waitMsMax: 4_000,
  /** The thread is ended over a picture that takes longer. */
  drawMsMax: 3_000,
  /** A thread that hangs in a call of the system does not end: the next picture begins without waiting for longer. */
  stopMsMax: 500,
  /** The thread ends after so long at rest, and gives its memory back. */
  idleMs: 30_000,
  /** Pictures in memory, and their bytes together. */
  picturesMax: 256,
  bytesMax: 8 * 1024 * 1024,
  /** A picture with more bytes does not go out. */
  pngBytesMax: 512 * 1024,
  /** An older picture goes out for so long while a newer one cannot be drawn. */
  oldSecondsMax: 3_600,
  /** A larger logo is not read: the mark stands in its place. */
  logoBytesMax: 256 * 1024,
  /** Logos that ended the thread, and for how long each is left out. */
  badLogosMax: 256,
  badLogoMs: 3_600_000,
  /** Of the thread's objects. */
  megabytesMax: 96,
  /** Of the renderer: a logo that unpacks to more ends the thread. */
  rendererMegabytesMax: 96,
  /** After failures, see createPauses.ts. */
  ...{ pauseMs: 1_000, pauseMsMax: 60_000, keysMax: 256, rowMax: 5 },
} as const

export type ShareLimits = Readonly<Record<keyof typeof shareLimits, number>>
