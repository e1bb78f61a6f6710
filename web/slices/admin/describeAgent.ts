import { toDisplayText } from '@chainboard/core'

/** More telling ones first: most browsers call themselves Chrome and Safari, too. */
const browsers: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+).* Safari\//, 'Safari'],
]
const systems: readonly (readonly [sign: RegExp, name: string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** What a browser calls itself, in two words: `Firefox 140, Linux`. Programs keep their own words. */
export function describeAgent(agent: string): string {
  const browser = browsers.flatMap(([sign, name]) => {
    const version = sign.exec(agent)?.[1]
    return version === undefined ? [] : `${name} ${version}`
  })[0]
  const system = systems.find(([sign]) => sign.test(agent))?.[1]
  if (browser === undefined) return toDisplayText(agent, 'Unknown program', 60)
  return system === undefined ? browser : `${browser}, ${system}`
}
