type Props = {
  /** 0 to 100. */
  readonly percent: number
  /** What the bar is of. */
  readonly label: string
  /** How far it is, in words. */
  readonly text: string
}

/** A thin bar in the colour of its surroundings. */
export function ProgressBar({ percent, label, text }: Props) {
  return <progress max={100} value={percent} aria-label={label} aria-valuetext={text} className="thin-progress h-1 w-full" />
}
