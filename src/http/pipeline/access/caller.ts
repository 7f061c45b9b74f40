import type { FastifyRequest } from 'fastify'
import type { ClientInfo } from '../../../accounts/sign-in/sessions.ts'
import { clientIp } from './client-ip.ts'

/** Where a request comes from, as it is stored with sessions. */
export function readClientInfo(request: FastifyRequest): ClientInfo {
  return { ip: clientIp(request), userAgent: request.headers['user-agent'] ?? '' }
}

/** The signed-in user of a request, as it is stored in the audit log. */
export function readAuditActor(request: FastifyRequest): { name: string; ip: string } {
  return { name: `user:${request.signedIn?.user.id}`, ip: clientIp(request) }
}
