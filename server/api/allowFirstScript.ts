import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** What runs before the first paint, which the build puts into the page (web/vite.config.ts). */
const firstScript = /<script data-first[^>]*>(.*?)<\/script>/s

/** The one script that stands in the page itself may run: its hash says so, and any other would have another. @param page as it was built */
export function allowFirstScript(reply: FastifyReply, page: string): void {
  const code = firstScript.exec(page)?.[1]
  if (code === undefined) return
  const policy = String(reply.getHeader('content-security-policy') ?? '')
  const hash = createHash('sha256').update(code).digest('base64')
  reply.header('Content-Security-Policy', policy.replace(/script-src [^;]*/, `$& 'sha256-${hash}'`))
}
