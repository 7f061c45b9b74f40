import type { RouteOptions } from 'fastify'

type HookName = 'preValidation' | 'preHandler' | 'preSerialization' | 'onSend'
// The hook types of Fastify differ in their arguments; each caller knows the type it adds.
type Hook = (...args: never[]) => Promise<unknown>

/** Adds a hook to one route, after the hooks that the route has. To be called in an `onRoute` hook. */
export function addRouteHook(route: RouteOptions, name: HookName, hook: Hook): void {
  const existing = (route[name] ?? []) as Hook | Hook[]
  Object.assign(route, { [name]: [existing, hook].flat() })
}
