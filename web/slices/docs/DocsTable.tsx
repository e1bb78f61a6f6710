type Props = {
  readonly label: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Columns that are code. */
  readonly code: readonly number[]
}

const firstCell = 'font-strong text-ink'
/** On a phone a cell says what its column's head would. */
const otherCell =
  'max-tablet:grid max-tablet:grid-cols-[6.5rem_minmax(0,1fr)] max-tablet:before:font-sans max-tablet:before:text-12 max-tablet:before:leading-5 max-tablet:before:text-ink-2 max-tablet:before:content-[attr(data-head)]'

/** A plain table; on a phone its rows become blocks, so that nothing scrolls sideways. */
export function DocsTable({ label, heads, rows, code }: Props) {
  return (
    <table aria-label={label} className="w-full border-collapse text-left text-13 leading-5 max-tablet:block">
      <thead className="max-tablet:sr-only">
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col" className="border-line-strong border-b py-2 pr-4 text-12 font-strong text-ink-2">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-tablet:block">
        {rows.map((row) => (
          <tr key={row.join()} className="max-tablet:block max-tablet:border-line max-tablet:border-b max-tablet:py-3">
            {row.map((cell, index) => (
              <td
                key={heads[index]}
                data-head={heads[index]}
                className={`align-top max-tablet:block tablet:border-line tablet:border-b tablet:py-2.5 tablet:pr-4 ${index === 0 ? firstCell : otherCell} ${code.includes(index) ? 'font-mono text-12 leading-5! text-ink wrap-anywhere tablet:whitespace-nowrap' : ''}`}
              >
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
