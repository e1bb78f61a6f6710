/** On the one button of a card whose target is the whole card; the card itself is `relative`. */
export const wholeCard = 'after:absolute after:inset-0'

/** Text above that target: what is no control lets the tap through. A hint in it stands above the card's other parts. */
export const aboveCard = 'pointer-events-none relative z-1 focus-within:z-2 hover:z-2 [&_button]:pointer-events-auto'

/** A list that scrolls sideways, a card at a time; its box reaches both edges of the screen. Every card holds a control, so the keyboard gets everywhere. */
export const sidewaysList =
  'flex snap-x snap-mandatory scroll-px-4 overflow-x-auto overscroll-x-contain px-4 [scrollbar-width:none] print:flex-wrap print:overflow-visible *:shrink-0 *:snap-start'
