import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Who asks. A trusted proxy passes on what its client claims, so only an address counts as one. */
export function clientIp(request: FastifyRequest): string {
  return isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? 'unknown') : request.ip
}
