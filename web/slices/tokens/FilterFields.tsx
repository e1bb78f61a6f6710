import type { WireCategory } from '@chainboard/contract'
import { toDisplayText } from '@chainboard/core'
import { useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { categoriesUrl, type FilterQuery } from '../../lib/urls.ts'
import { quietControl } from '../../ui/buttonStyles.ts'
import { SelectField } from '../../ui/SelectField.tsx'

type Props = { readonly filter: FilterQuery; readonly onFilter: (filter: FilterQuery) => void }

const any = ''
const liquidities = [
  { value: any, text: 'Any liquidity' },
  { value: '1000', text: 'Liquidity ±2% over $1K' },
  { value: '10000', text: 'Liquidity ±2% over $10K' },
  { value: '100000', text: 'Liquidity ±2% over $100K' },
  { value: '1000000', text: 'Liquidity ±2% over $1M' },
]
const ages = [
  { value: any, text: 'Any age' },
  { value: '1', text: 'New in 24 hours' },
  { value: '7', text: 'New in 7 days' },
  { value: '30', text: 'New in 30 days' },
]
const verifications = [
  { value: any, text: 'Verified or not' },
  { value: '1', text: 'Verified' },
  { value: '0', text: 'Not verified' },
]
const warnings = [
  { value: any, text: 'With or without warnings' },
  { value: '0', text: 'Without warnings' },
  { value: '1', text: 'With warnings' },
]

type Option = { readonly value: string; readonly text: string }

/** With what the address says, when that is another value. */
function withValue(options: readonly Option[], value: string, text: string): readonly Option[] {
  return value === any || options.some((option) => option.value === value) ? options : [...options, { value, text }]
}

/** By what the table can be restricted, each field by itself. */
export function FilterFields({ filter, onFilter }: Props) {
  const { data: categories = [] } = useQuery({
    queryKey: ['categories'],
    queryFn: ({ signal }): Promise<readonly WireCategory[]> => fetchJson(categoriesUrl, signal),
  })
  const { category = any, liquidityMin, newDays, verified = any, warned = any } = filter
  const [liquidity, days] = [String(liquidityMin ?? any), String(newDays ?? any)]
  const named = categories.map((known) => ({
    value: known.category,
    text: `${toDisplayText(known.category, '?', 32)} (${known.count.toLocaleString('en-US')})`,
  }))
  const change = (next: { [key in keyof FilterQuery]?: FilterQuery[key] | undefined }) => {
    const all: Record<string, unknown> = { ...filter, ...next }
    onFilter(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== any)))
  }
  const toFlag = (text: string) => (text === '0' || text === '1' ? text : undefined)
  return (
    <fieldset className="flex min-w-0 items-center gap-2 pt-2 max-desk:overflow-x-auto max-desk:[scrollbar-width:none] max-tablet:-mx-4 max-tablet:px-4 *:shrink-0">
      <legend className="sr-only">Filters</legend>
      <SelectField
        unlabelled
        label="Category"
        options={withValue([{ value: any, text: 'All categories' }, ...named], category, toDisplayText(category, '?', 32))}
        value={category}
        onChange={(next) => change({ category: next })}
      />
      <SelectField
        unlabelled
        label="Liquidity: US dollars that move the price by 2%"
        options={withValue(liquidities, liquidity, `Liquidity ±2% over $${liquidityMin?.toLocaleString('en-US')}`)}
        value={liquidity}
        onChange={(next) => change({ liquidityMin: next === any ? undefined : Number(next) })}
      />
      <SelectField
        unlabelled
        label="First trade"
        options={withValue(ages, days, `New in ${days} days`)}
        value={days}
        onChange={(next) => change({ newDays: next === any ? undefined : Number(next) })}
      />
      <SelectField
        unlabelled
        label="Verified"
        options={verifications}
        value={verified}
        onChange={(next) => change({ verified: toFlag(next) })}
      />
      <SelectField
        unlabelled
        label="Warnings"
        options={warnings}
        value={warned}
        onChange={(next) => change({ warned: toFlag(next) })}
      />
      {Object.keys(filter).length > 0 && (
        <button type="button" onClick={() => onFilter({})} className={`${quietControl} h-9 px-3 text-13 font-strong touch:h-11`}>
          Clear filters
        </button>
      )}
    </fieldset>
  )
}
