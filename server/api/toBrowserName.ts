/** The first that fits: browsers name their ancestors, too. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/\S+.*\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]
const lengthMax = 512

/** What a `User-Agent` calls the browser, so that a person recognizes it: `Firefox on Linux`. Empty for programs and for what is unknown. */
export function toBrowserName(userAgent: string | undefined): string {
  const said = userAgent?.slice(0, lengthMax) ?? ''
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(said))?.[1]
  const [browser, system] = [find(browsers), find(systems)]
  if (browser === undefined) return ''
  return system === undefined ? browser : `${browser} on ${system}`
}
