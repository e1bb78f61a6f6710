/** Parts of the documentation, in their order. `id` is what an address names them by. */
export const sections = [
  { id: 'introduction', title: 'Introduction' },
  { id: 'authentication', title: 'Authentication' },
  { id: 'endpoints', title: 'Endpoints' },
  { id: 'rate-limits', title: 'Rate Limits' },
  { id: 'errors', title: 'Error Handling' },
  { id: 'examples', title: 'Code Examples' },
] as const

export type SectionId = (typeof sections)[number]['id']
