import type { App } from './type-provider.ts'
import { ServiceError } from '../errors.ts'

/** 405 with the methods that exist where the path does, else 404. */
export function answerUnknownPaths(app: App): void {
  const methods = new Map<string, { pattern: RegExp; allowed: Set<string> }>()

  app.addHook('onRoute', ({ url, method }) => {
    const row = methods.get(url) ?? { pattern: patternOf(url), allowed: new Set<string>() }
    for (const name of [method].flat()) row.allowed.add(name)
    methods.set(url, row)
  })
  app.setNotFoundHandler(async (request) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const allow = [...methods.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap(({ allowed }) => [...allowed])
    if (allow.length > 0)
      throw new ServiceError('method_not_allowed', { allow: [...new Set(allow)].toSorted() })
    throw new ServiceError('not_found')
  })
}

function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => {
      if (part.startsWith(':')) return '[^/]+'
      return part === '*' ? '.*' : RegExp.escape(part)
    })
    .join('/')
  return new RegExp(`^${source}/?$`)
}
