import type { FastifyRequest } from 'fastify'

/** A person at a browser is led to the form instead of being shown JSON. */
export function acceptsHtml({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html')
}
