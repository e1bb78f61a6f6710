import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useHydrated } from '../../lib/hydration.tsx'
import { homePath } from '../../lib/urls.ts'
import { useSlash } from '../../lib/useSlash.ts'
import { focusFound } from '../../token/nameFocus.ts'
import { Icon } from '../../ui/Icon.tsx'

/** Longer than any name or symbol that is listed. */
export const searchCharsMax = 64

type Props = {
  /** The search in force. */
  readonly value: string
  /** Called with every letter: the answer to the last one counts, and what was asked before it is let go. */
  readonly onSearch: (search: string) => void
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly onLeave?: () => void
}

/** Search by name or symbol. `/` comes here from anywhere on the page, Escape clears and then leaves, arrow down goes to what was found. */
export function SearchBox({ value, onSearch, inputRef, onLeave }: Props) {
  const [text, setText] = useSearchText(value, onSearch, inputRef)
  useSlash(() => {
    inputRef.current?.focus()
    inputRef.current?.select()
  })
  return (
    <search className="w-full min-w-0">
      <form
        action={homePath}
        onSubmit={(event) => event.preventDefault()}
        className="@container relative flex w-full items-center"
      >
        <span className="pointer-events-none absolute left-3 text-ink-3">
          <Icon name="search" size={16} />
        </span>
        <input
          ref={inputRef}
          type="text"
          name="q"
          inputMode="search"
          enterKeyHint="search"
          aria-label="Search tokens by name or symbol"
          placeholder="Search tokens..."
          autoComplete="off"
          spellCheck={false}
          maxLength={searchCharsMax}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' && focusFound()) return event.preventDefault()
            if (event.key !== 'Escape') return
            if (text !== '') return setText('')
            event.currentTarget.blur()
            onLeave?.()
          }}
          className="peer h-9 w-full rounded-8 border border-line-strong bg-surface-1 pr-10 pl-9 @max-[13rem]:placeholder-shown:pr-2 text-14 text-ink outline-offset-0 placeholder:text-ink-3 hover:border-ink-3 touch:h-11 touch:text-16"
        />
        {text === '' ? (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute right-2 hidden h-5 min-w-5 items-center justify-center rounded-6 border border-line-strong font-sans text-12 text-ink-3 peer-focus:hidden mouse:tablet:@min-[13rem]:inline-flex"
          >
            /
          </span>
        ) : (
          <button
            type="button"
            aria-label="Clear search"
            onClick={() => {
              setText('')
              inputRef.current?.focus()
            }}
            className="absolute right-1 inline-flex size-7 items-center justify-center rounded-6 text-ink-2 hover:text-ink touch:size-10"
          >
            <Icon name="close" size={14} />
          </button>
        )}
      </form>
    </search>
  )
}

/** The text being typed: told at once, and following `value` when that changes from elsewhere (back button, link). */
function useSearchText(
  value: string,
  onSearch: (search: string) => void,
  inputRef: Props['inputRef'],
): [string, (text: string) => void] {
  const [text, setText] = useState(value)
  const told = useRef(value)
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])
  const change = (next: string) => {
    setText(next)
    const search = next.trim()
    if (search === told.current) return
    told.current = search
    onSearch(search)
  }
  // What was typed into the page that the server drew stays, and is searched for once all of the page is taken over.
  useEffect(() => {
    const typed = inputRef.current?.value
    if (typed) setText(typed)
  }, [inputRef])
  const hydrated = useHydrated()
  const searchTyped = useEffectEvent(() => change(text))
  useEffect(() => {
    if (hydrated) searchTyped()
  }, [hydrated])
  return [text, change]
}
