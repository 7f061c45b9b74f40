import type { FastifyRequest } from 'fastify'

/** Whether a browser loads a page: it then gets a redirect to the sign-in page instead of a JSON error. */
export function acceptsHtml({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html')
}
