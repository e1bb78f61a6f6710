/** A breathing bar where text will stand. Sizes in px. */
export function Skeleton({ width, height = 14 }: { readonly width: number | string; readonly height?: number }) {
  return <span aria-hidden="true" style={{ width, height }} className="skeleton inline-block max-w-full align-middle" />
}
