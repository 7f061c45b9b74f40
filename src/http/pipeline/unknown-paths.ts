import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import type { FastifyApp } from '../fastify-app.ts'
import { acceptsHtml } from './access/accepts-html.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends the page for browsers that load an unknown path. Absent while the console is not served. */
    sendNotFoundPage?(): FastifyReply
  }
}

/**
 * Responds 405 with the allowed methods when only the method is wrong, otherwise 404, before the body is read.
 * To be called after the access check is added: a caller without an API key must not learn which paths exist.
 */
export function rejectUnknownPathsAndMethods(app: FastifyApp): void {
  const routes = new Map<string, { pattern: RegExp; allowed: Set<string> }>()

  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { pattern: routePattern(url), allowed: new Set<string>() }
    for (const name of [method].flat()) route.allowed.add(name)
    routes.set(url, route)
  })

  const errorFor = (method: string, url: string): ServiceError => {
    const path = pathWithoutQuery(url)
    const matching = [...routes.values()].filter(({ pattern }) => pattern.test(path))
    const allow =
      routes.get(path)?.allowed ?? new Set(matching.flatMap(({ allowed }) => [...allowed]))
    // A route accepts this path and method, so it is the resource named by the path that does not exist.
    if (allow.size === 0 || allow.has(method)) return new ServiceError('not_found')
    return new ServiceError('method_not_allowed', { allow: [...allow].toSorted() })
  }
  /**
   * Whether a path that is a route without parameters was matched by a route with parameters, because only that one
   * has the method: DELETE /meetings/start would otherwise remove the meeting with the id `start`.
   */
  const isWrongMethod = ({ method, url, routeOptions }: FastifyRequest): boolean => {
    if (!routeOptions.url?.includes('/:')) return false
    const exact = routes.get(pathWithoutQuery(url))
    return exact !== undefined && !exact.allowed.has(method)
  }
  const respond = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error = errorFor(request.method, request.url)
    if (error.code === 'not_found' && wantsPage(request) && reply.sendNotFoundPage !== undefined)
      return reply.sendNotFoundPage()
    throw error
  }
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 || isWrongMethod(request)) return respond(request, reply)
  })
  // Also runs when a route finds nothing, for example a static file that does not exist.
  app.setNotFoundHandler(async (request, reply) => respond(request, reply))
}

/** Whether a person gets the response in a browser. What is under /api is for programs. */
function wantsPage(request: FastifyRequest): boolean {
  return acceptsHtml(request) && !/^\/+api(?:[/?]|$)/i.test(request.url)
}

function pathWithoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

function routePattern(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => {
      if (part.startsWith(':')) return '[^/]+'
      return part === '*' ? '.*' : RegExp.escape(part)
    })
    .join('/')
  return new RegExp(`^${source}/?$`)
}
