import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { RouteOptions } from 'fastify'
import type { ServiceOverrides } from '../../../src/app/service.ts'
import type { FastifyApp } from '../../../src/http/fastify-app.ts'
import { startService, type TestService } from './start-service.ts'

export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

/** Two nodes of one instance: one database, one master key. */
export async function startTwoNodes(
  env: Record<string, string> = {},
  extras: ServiceOverrides = {},
): Promise<AsyncDisposable & { one: TestService; two: TestService }> {
  await using stack = new AsyncDisposableStack()
  const shared = { HANSARD_MASTER_KEY: MASTER_KEY, ...env }
  const one = stack.use(await startService(shared, extras))
  const two = stack.use(await startService({ ...shared, DATABASE_URL: one.databaseUrl }, extras))
  const opened = stack.move()
  return { one, two, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

export type RegisteredRoute = { method: string; url: string; access: string | undefined }

/** A service, every route it registered, its own and the test's, and which statuses each of them answered. */
export async function startWithRoutes(
  env: Record<string, string> = {},
  extras: ServiceOverrides = {},
): Promise<TestService & { routes: RegisteredRoute[]; app: FastifyApp; answered: Set<string> }> {
  const options: RouteOptions[] = []
  const answered = new Set<string>()
  let app: FastifyApp | undefined
  // The framework announces the server it makes: the only moment before the first route.
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyApp }
    app ??= fastify
    fastify.addHook('onRoute', (route) => void options.push(route))
    fastify.addHook('onResponse', async ({ method, routeOptions }, { statusCode }) => {
      if (routeOptions.url !== undefined)
        answered.add(`${method} ${routeOptions.url} ${statusCode}`)
    })
  }
  subscribe('fastify.initialization', watch)
  try {
    const service = await startService(env, extras)
    const routes = options.flatMap(({ method, url, config }) =>
      [method].flat().map((name) => ({ method: name, url, access: config?.access })),
    )
    if (app === undefined) throw new Error('no server was announced')
    return { ...service, routes, app, answered }
  } finally {
    unsubscribe('fastify.initialization', watch)
  }
}
