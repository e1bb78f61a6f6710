import type { RankedItem } from './rankItems.ts'

type Props = {
  readonly id: string
  /** In the order of their groups. */
  readonly items: readonly RankedItem[]
  /** The one that Enter takes. */
  readonly active: number
  readonly onActive: (place: number) => void
  readonly onRun: (item: RankedItem) => void
}

/** Of an item, for what points at it. */
export const toItemId = (id: string, place: number): string => `${id}-${place}`

/** What was found, under the names of its groups. The field above it keeps the focus. */
export function PaletteList({ id, items, active, onActive, onRun }: Props) {
  const groups = [...Map.groupBy(items, ({ group }) => group)]
  return (
    <div id={id} role="listbox" aria-label="Results" className="max-h-[min(60dvh,26rem)] overflow-y-auto overscroll-contain p-2">
      {groups.map(([group, own]) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
        <div key={group} role="group" aria-label={group}>
          <p aria-hidden="true" className="px-3 pt-2 pb-1 text-12 text-ink-3">
            {group}
          </p>
          {own.map((item) => {
            const place = items.indexOf(item)
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the option
              <div
                key={item.id}
                id={toItemId(id, place)}
                role="option"
                aria-selected={place === active}
                onPointerMove={() => onActive(place)}
                onClick={() => onRun(item)}
                className="flex min-h-10 cursor-pointer items-center gap-3 rounded-8 px-3 text-14 aria-selected:bg-surface-2 touch:min-h-11"
              >
                <bdi className="min-w-0 truncate">
                  <Marked text={item.text} places={item.places} />
                </bdi>
                {item.hint && <bdi className="ml-auto max-w-1/2 shrink-0 truncate text-13 text-ink-2">{item.hint}</bdi>}
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}

/** A text with the letters that were searched for set off. */
function Marked({ text, places }: { readonly text: string; readonly places: readonly number[] }) {
  if (places.length === 0) return text
  return [...text].map((letter, i) =>
    places.includes(i) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the letters of a text have no other name
      <mark key={i} className="bg-transparent font-strong text-accent">
        {letter}
      </mark>
    ) : (
      letter
    ),
  )
}
