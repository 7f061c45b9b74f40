import type { RouteOptions } from 'fastify'

type HookName = 'preValidation' | 'preHandler' | 'preSerialization' | 'onSend'
// The framework's own hook types differ in what they pass on; each caller knows its own.
type Hook = (...args: never[]) => Promise<unknown>

/** Adds a hook to one route, from an `onRoute` hook, after those it has. */
export function addRouteHook(route: RouteOptions, name: HookName, hook: Hook): void {
  const present = (route[name] ?? []) as Hook | Hook[]
  Object.assign(route, { [name]: [present, hook].flat() })
}
