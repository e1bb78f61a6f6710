/** Turning ring; `label` says what is being waited for. */
export function Spinner({ label, size = 28 }: { readonly label: string; readonly size?: number }) {
  return (
    <span role="status" className="inline-flex">
      <span aria-hidden="true" style={{ width: size, height: size }} className="spinner" />
      <span className="sr-only">{label}</span>
    </span>
  )
}
