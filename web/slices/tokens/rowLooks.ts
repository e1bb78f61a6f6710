/** Of every row of a table of tokens. */
export const rowLook = 'h-14 in-data-dense:h-10! border-line border-b touch:h-16'
/** Of a row that can be pressed. */
export const liveRowLook = `group ${rowLook} cursor-pointer transition-colors duration-120 hover:bg-surface-1`
/** Of a cell where there is room. */
export const cell = 'px-1.5 desk:px-3'
/** On a tablet all eight columns stand side by side: every pixel of them is the name's. */
export const tightCell = 'px-1.5 min-[744px]:px-1 first:pl-1.5 max-[744px]:nth-2:pl-3 desk:px-3 in-data-tight:px-1.5!'
