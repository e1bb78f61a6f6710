type Props = {
  readonly label: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Columns that are code. */
  readonly code: readonly number[]
}

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
          <tr key={row.join()} className="max-tablet:block max-tablet:border-line max-tablet:border-b max-tablet:py-2.5">
            {row.map((cell, index) => (
              <td
                key={heads[index]}
                className={`align-top tablet:border-line tablet:border-b tablet:py-2.5 tablet:pr-4 max-tablet:block ${code.includes(index) ? 'font-mono text-12 text-ink wrap-anywhere tablet:whitespace-nowrap' : ''}`}
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
