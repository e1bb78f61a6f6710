/** Looks shared by buttons and links that stand beside each other. */
export const quietControl =
  'inline-flex items-center justify-center rounded-8 text-ink-2 transition-colors duration-120 hover:bg-surface-2 hover:text-ink'

/** Of the button that does what a form is for. */
export const filledControl =
  'inline-flex h-10 items-center justify-center gap-2 rounded-8 bg-accent px-4 text-14 font-strong text-on-accent transition-shadow duration-120 hover:shadow-[0_0_0_3px_color-mix(in_srgb,var(--accent)_35%,transparent)]'

/** Of every other button with a text. */
export const outlinedControl =
  'inline-flex h-9 items-center justify-center gap-2 rounded-8 border border-line-strong px-3 text-13 font-strong text-ink transition-colors duration-120 hover:bg-surface-2'
