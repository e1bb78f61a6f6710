import { useState } from 'react'
import { Segmented } from '../../ui/Segmented.tsx'

const views = ['keys', 'site', 'operators'] as const

export type PanelView = (typeof views)[number]

/** Which part of the panel is shown; the address remembers it, so that a reload stays there. */
export function usePanelView() {
  const [view, setView] = useState<PanelView>(() => views.find((each) => location.hash === `#${each}`) ?? 'keys')
  return {
    view,
    choose: (next: PanelView) => {
      history.replaceState(history.state, '', next === 'keys' ? location.pathname : `#${next}`)
      setView(next)
    },
  }
}

type Props = {
  readonly view: PanelView
  readonly onChoose: (view: PanelView) => void
  /** What needs somebody on the site; 0 shows no figure. */
  readonly alerts: number
}

/** The parts of the panel. */
export function PanelViews({ view, onChoose, alerts }: Props) {
  const options = [
    { value: 'keys', text: 'Keys' },
    { value: 'site', text: alerts > 0 ? `Site (${alerts})` : 'Site' },
    { value: 'operators', text: 'Operators' },
  ] as const
  return <Segmented label="Panel sections" options={options} value={view} onChange={onChoose} />
}
