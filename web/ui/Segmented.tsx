type Props<T extends string> = {
  /** What is being chosen, for those who do not see the group. */
  readonly label: string
  readonly options: readonly { readonly value: T; readonly text: string; readonly title?: string }[]
  readonly value: T
  readonly onChange: (value: T) => void
  readonly onPreview?: (value: T) => void
}

/** A few exclusive choices side by side. `title` says an option in full where `text` is short. */
export function Segmented<T extends string>({ label, options, value, onChange, onPreview }: Props<T>) {
  return (
    <fieldset className="print:hidden flex rounded-8 bg-surface-2 p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          title={option.title}
          onClick={() => onChange(option.value)}
          onPointerEnter={() => onPreview?.(option.value)}
          className="h-8 touch:h-10 rounded-6 px-2.5 text-13 tablet:px-3 font-strong text-ink-2 transition-colors duration-120 hover:text-ink aria-pressed:bg-surface-1 aria-pressed:text-ink aria-pressed:shadow-[0_0_0_1px_var(--line-strong)]"
        >
          {option.text}
        </button>
      ))}
    </fieldset>
  )
}
