// The package `solc` has no types: what is used of it.
declare module 'solc' {
  type Callbacks = { readonly import: (path: string) => { readonly contents: string } }
  const solc: { compile(input: string, callbacks?: Callbacks): string; version(): string }
  export default solc
}
