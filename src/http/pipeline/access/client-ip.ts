import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** The IP address of the client. A trusted proxy may forward text that is no address; then the socket's address counts. */
export function clientIp(request: FastifyRequest): string {
  return isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? 'unknown') : request.ip
}
