import { Segmented } from '../ui/Segmented.tsx'
import { type PriceMode, usePriceMode } from './priceMode.ts'

const options: readonly { value: PriceMode; text: string; title: string }[] = [
  { value: 'usd', text: 'USD', title: 'Prices in US dollars' },
  { value: 'paired', text: 'Paired', title: 'Prices in the paired token' },
]

/** Changes between US dollars and the paired token, on every page. */
export function PriceModeToggle() {
  const { mode, setMode } = usePriceMode()
  return <Segmented label="Price display" options={options} value={mode} onChange={setMode} />
}
