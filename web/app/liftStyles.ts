/** What a value may be made of: nothing of it ends a rule or a sheet. */
const plainStyle = /^[\w\s:;.,()%#+-]*$/

/**
 * Takes the `style` of elements into rules: the content security policy lets no attribute of a page decide its look, but a sheet that it
 * names by its hash may. Values with other characters than those of plain lengths and colours are left out.
 */
export function liftStyles(drawn: string): { readonly html: string; readonly css: string } {
  const places = new Map<string, number>()
  // Within text and other attributes React writes `"` as an entity, so that this is an attribute.
  const html = drawn.replaceAll(/ style="([^"]*)"/g, (_, style: string) => {
    if (!plainStyle.test(style)) return ''
    const place = places.get(style) ?? places.size
    places.set(style, place)
    return ` data-look="${place}"`
  })
  return { html, css: [...places].map(([style, place]) => `[data-look="${place}"]{${style}}`).join('') }
}
