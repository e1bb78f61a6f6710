/**
 * What the page uses of a browser, and what wallets and passkeys may use on it. Everything else is off, for the page and for whatever
 * somebody may get into it. Browsers skip names that they do not know.
 */
const used = ['clipboard-write', 'fullscreen', 'publickey-credentials-create', 'publickey-credentials-get']
const unused = [
  ...['accelerometer', 'autoplay', 'bluetooth', 'browsing-topics', 'camera', 'display-capture', 'geolocation', 'gyroscope'],
  ...['hid', 'idle-detection', 'local-fonts', 'magnetometer', 'microphone', 'midi', 'payment', 'serial', 'usb'],
  ...['screen-wake-lock', 'window-management', 'xr-spatial-tracking'],
]

/** The header of that name, for pages. */
export const permissionsPolicy = [...used.map((name) => `${name}=(self)`), ...unused.map((name) => `${name}=()`)].join(', ')
