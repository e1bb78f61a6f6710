import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'

type Props = { readonly children: ReactNode; readonly hint: string }

/** Between a reason and the edges of the screen. */
const marginPx = 8

/**
 * A word with a reason behind it, read on hover, focus or tap. Escape and a press elsewhere put it away, and the pointer may rest on it.
 * The reason lies above the whole page: no list that scrolls and no card beside it cuts it off.
 */
export function Hint({ children, hint }: Props) {
  const id = useId()
  const root = useRef<HTMLSpanElement>(null)
  const reason = useRef<HTMLSpanElement>(null)
  const [shown, setShown] = useState(false)
  useReason(root, reason, shown, () => setShown(false))
  return (
    <span
      ref={root}
      className="relative inline-block"
      onPointerEnter={() => setShown(true)}
      // Whoever has the focus keeps what he reads; what was put away stays so.
      onPointerLeave={() => setShown((before) => before && root.current?.contains(document.activeElement) === true)}
    >
      <button
        type="button"
        aria-describedby={id}
        onFocus={() => setShown(true)}
        onBlur={() => setShown(false)}
        onClick={(event) => {
          event.stopPropagation()
          setShown(true)
        }}
        className="printed scroll-mt-30 cursor-help rounded-6 underline decoration-line-strong decoration-dotted underline-offset-4"
      >
        {children}
      </button>
      {/* Its padding is the pointer's bridge from the word. */}
      <span ref={reason} popover="manual" className="pointer-events-auto inset-auto overflow-visible bg-transparent py-2">
        <span
          id={id}
          role="tooltip"
          className="appear block w-max max-w-60 whitespace-normal rounded-8 border border-line-strong bg-surface-2 px-3 py-2 text-left text-12 font-normal text-ink"
        >
          {hint}
        </span>
      </span>
    </span>
  )
}

/** Lays `reason` above the page and at its word for as long as it is shown. */
function useReason(
  root: RefObject<HTMLElement | null>,
  reason: RefObject<HTMLElement | null>,
  shown: boolean,
  onHide: () => void,
): void {
  const hide = useEffectEvent(onHide)
  useLayoutEffect(() => {
    const [word, box] = [root.current, reason.current]
    if (!shown || !word || !box) return
    const follow = () => place(word, box)
    box.showPopover()
    follow()
    // Whatever scrolls, the page or a list in it.
    addEventListener('scroll', follow, { capture: true, passive: true })
    addEventListener('resize', follow)
    return () => {
      removeEventListener('scroll', follow, { capture: true })
      removeEventListener('resize', follow)
      box.hidePopover()
    }
  }, [root, reason, shown])
  useEffect(() => {
    if (!shown) return
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    // A finger leaves no focus behind everywhere.
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) hide()
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onPress)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onPress)
    }
  }, [root, shown])
}

/** Under the word, or over it where there is no room; within the screen. */
function place(word: HTMLElement, box: HTMLElement): void {
  const at = word.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const { offsetWidth, offsetHeight } = box
  const left = Math.min(at.left, clientWidth - offsetWidth - marginPx)
  const under = at.bottom + offsetHeight <= clientHeight
  box.style.left = `${Math.max(marginPx, left)}px`
  box.style.top = `${under ? at.bottom : at.top - offsetHeight}px`
}
