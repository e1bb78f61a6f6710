/** What an error says. Of what is no error: its text. */
export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
