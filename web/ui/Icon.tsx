// One path table on a 20 px grid, 1.6 px strokes. An icon never speaks: its button or its neighbour carries the words.
const paths = {
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM13 13l3.5 3.5',
  close: 'M5 5l10 10M15 5 5 15',
  copy: 'M7.5 7.5h9v9h-9zM12.5 7.5v-4h-9v9h4',
  check: 'M4 10.5l4 4 8-9',
  chart: 'M3 14.5l4.5-5 3.5 3 6-7.5M12.5 5H17v4.5',
  swap: 'M3.5 7h12M12.5 4l3 3-3 3M16.5 13h-12M7.5 10l-3 3 3 3',
  locked: 'M4.5 9h11v8h-11zM7 9V6.5a3 3 0 0 1 6 0V9',
  unlocked: 'M4.5 9h11v8h-11zM7 9V6a3 3 0 0 1 5.8-1',
  sun: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1',
  moon: 'M16.5 11.8A6.8 6.8 0 0 1 8.2 3.5a6.8 6.8 0 1 0 8.3 8.3Z',
  left: 'M12 5l-5 5 5 5',
  right: 'M8 5l5 5-5 5',
  down: 'M5 8l5 5 5-5',
  menu: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  out: 'M8 5H4.5v10.5H15V12M11 4h5v5M15.5 4.5 9 11',
  info: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM10 9.2v4M10 6.5v.1',
  wallet: 'M15 7V4.5L4.5 7H17v9.5H3.5V7.5A1 1 0 0 1 4.5 7M13.5 11.8h.2',
  warning: 'M10 3.5 17.5 16.5h-15ZM10 8.5v3.5M10 14.2v.1',
  star: 'M10 2.8l2.2 4.6 5 .7-3.6 3.5.8 5-4.4-2.4-4.4 2.4.8-5-3.6-3.5 5-.7Z',
  bolt: 'M11.5 2.8 4.8 11.4h4.6l-.9 5.8 6.7-8.6h-4.6Z',
  eye: 'M1.8 10S4.6 4.8 10 4.8s8.2 5.2 8.2 5.2-2.8 5.2-8.2 5.2S1.8 10 1.8 10ZM10 7.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8Z',
  eyeOff:
    'M4.6 6.4C2.8 7.9 1.8 10 1.8 10s2.8 5.2 8.2 5.2c1.5 0 2.8-.4 3.9-1M8 5c.6-.1 1.3-.2 2-.2 5.4 0 8.2 5.2 8.2 5.2s-.5 1-1.5 2.1M3 3l14 14',
  website: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM3 10h14M10 3c2 1.9 3 4.2 3 7s-1 5.1-3 7c-2-1.9-3-4.2-3-7s1-5.1 3-7Z',
  x: 'M3.8 3.8h3.1l9.3 12.4h-3.1ZM15.6 3.8l-5 5.5M8.9 11.2l-4.5 5',
  key: 'M7 9.2a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2ZM9.6 10.4l6.9-6.9M13.2 6.8l2.6 2.6M7 12.7v.1',
  play: 'M6.5 4.5v11l9-5.5Z',
  pause: 'M7 5v10M13 5v10',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  expand: 'M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4',
  picture: 'M3.5 4.5h13v11h-13ZM3.5 13l4-4 4 4 2-2 3 3M13 7.8v.1',
  stream: 'M3 10h3l2-5 4 10 2-5h3',
  scale: 'M10 3v14M5 17h10M3.5 6.5h13M3.5 6.5 1.5 11a2.2 2.2 0 0 0 4 0ZM16.5 6.5l-2 4.5a2.2 2.2 0 0 0 4 0Z',
  telegram: 'M2.8 9.5 17 4l-2.3 12.3-4.7-3.4-2.3 2.4-.5-4.3ZM7.2 11 17 4',
  coinMarketCap: 'M15.4 14.5a7 7 0 1 1 1.6-4.5v.8a1.5 1.5 0 0 1-3 0V8.3L10.7 13 8.6 8.3 6 12.8',
  coinGecko:
    'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM8.3 6.4a1.9 1.9 0 1 0 0 3.8 1.9 1.9 0 0 0 0-3.8ZM8.3 8.2v.1M9.5 13.2c2 .1 4-.5 5.5-2',
} as const

export type IconName = keyof typeof paths

/** A line drawing in the colour of the text. Decorative: what it means stands beside it. @param props.size in px */
export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={size < 18 ? 1.8 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      <path d={paths[name]} />
    </svg>
  )
}

/** Filled eight-pointed seal with a tick, with its meaning for those who do not see it. */
export function Seal({ label, size = 16 }: { readonly label: string; readonly size?: number }) {
  return (
    <svg role="img" aria-label={label} width={size} height={size} viewBox="0 0 20 20" className="shrink-0 text-verified">
      <title>{label}</title>
      <rect x="3.5" y="3.5" width="13" height="13" rx="3" fill="currentColor" />
      <rect x="3.5" y="3.5" width="13" height="13" rx="3" fill="currentColor" transform="rotate(45 10 10)" />
      <path
        d="M6.5 10.3l2.4 2.4 4.6-5"
        fill="none"
        stroke="var(--ground)"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/** Points up or down; filled, as tall as a small figure. */
export function Triangle({ points }: { readonly points: 'up' | 'down' }) {
  return (
    <svg aria-hidden="true" width="8" height="8" viewBox="0 0 8 8" className="inline-block shrink-0">
      <path d={points === 'up' ? 'M4 1l3.6 6H.4z' : 'M4 7L.4 1h7.2z'} fill="currentColor" />
    </svg>
  )
}
