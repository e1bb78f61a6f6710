/** Of a picture, in px: what social networks show whole. */
export const pictureSize = { width: 1_200, height: 630 } as const

/** The dark theme of the page (web/app/styles/tokens.css). */
export const shareColors = {
  ground: '#0b0d12',
  raised: '#1a1e27',
  line: '#1e232d',
  ink: '#eceff5',
  ink2: '#a2abbb',
  ink3: '#858fa1',
  up: '#3fd6b0',
  down: '#ff7593',
  warn: '#f2b84b',
  verified: '#6aaef5',
} as const
