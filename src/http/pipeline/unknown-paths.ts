import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import type { FastifyApp } from '../fastify-app.ts'

/**
 * 405 with the methods that exist where the path does, else 404; before the body is read. To be called
 * after the guard: a caller without a key must not learn which paths exist.
 */
export function rejectUnknownPaths(app: FastifyApp): void {
  const methods = new Map<string, { pattern: RegExp; allowed: Set<string> }>()

  app.addHook('onRoute', ({ url, method }) => {
    const row = methods.get(url) ?? { pattern: routePattern(url), allowed: new Set<string>() }
    for (const name of [method].flat()) row.allowed.add(name)
    methods.set(url, row)
  })

  const refusal = (method: string, url: string): ServiceError => {
    const path = pathWithoutQuery(url)
    const here = [...methods.values()].filter(({ pattern }) => pattern.test(path))
    const allow = methods.get(path)?.allowed ?? new Set(here.flatMap(({ allowed }) => [...allowed]))
    // The method exists: it is the thing behind the path that does not.
    if (allow.size === 0 || allow.has(method)) return new ServiceError('not_found')
    return new ServiceError('method_not_allowed', { allow: [...allow].toSorted() })
  }
  /** A path of its own, asked with a method of which only a path with a name in its place knows. */
  const isMistaken = ({ method, url, routeOptions }: FastifyRequest): boolean => {
    if (!routeOptions.url?.includes('/:')) return false
    const own = methods.get(pathWithoutQuery(url))
    return own !== undefined && !own.allowed.has(method)
  }
  app.addHook('onRequest', async (request) => {
    if (request.is404 || isMistaken(request)) throw refusal(request.method, request.url)
  })
  // Reached when a route itself says that it has nothing, as for a file that is not there.
  app.setNotFoundHandler(async (request) => {
    throw refusal(request.method, request.url)
  })
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
