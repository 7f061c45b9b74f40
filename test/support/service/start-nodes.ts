import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifySchema, RouteOptions } from 'fastify'
import type { ServiceOverrides } from '../../../src/app/service.ts'
import type { FastifyApp } from '../../../src/http/fastify-app.ts'
import type { RouteAccessLevel } from '../../../src/http/pipeline/access/route-access.ts'
import { startService, type TestService } from './start-service.ts'

export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

/** Two nodes of one instance, with one database and one master key. */
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

export type RegisteredRoute = {
  method: string
  url: string
  access: RouteAccessLevel | undefined
  schema: FastifySchema | undefined
  bodyLimit: number | undefined
}

/** A service, every route that it or the test registered, and the statuses with which each route answered. */
export async function startWithRoutes(
  env: Record<string, string> = {},
  extras: ServiceOverrides = {},
): Promise<TestService & { routes: RegisteredRoute[]; app: FastifyApp; answered: Set<string> }> {
  const options: RouteOptions[] = []
  const answered = new Set<string>()
  let app: FastifyApp | undefined
  // Fastify publishes this before any route is registered.
  const onServer = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyApp }
    app ??= fastify
    fastify.addHook('onRoute', (route) => void options.push(route))
    fastify.addHook('onResponse', async ({ method, routeOptions }, { statusCode }) => {
      if (routeOptions.url !== undefined)
        answered.add(`${method} ${routeOptions.url} ${statusCode}`)
    })
  }
  subscribe('fastify.initialization', onServer)
  try {
    const service = await startService(env, extras)
    const routes = options.flatMap(({ method, url, config, schema, bodyLimit }) =>
      [method]
        .flat()
        .map((name) => ({ method: name, url, access: config?.access, schema, bodyLimit })),
    )
    if (app === undefined) throw new Error('Fastify published no server')
    return { ...service, routes, app, answered }
  } finally {
    unsubscribe('fastify.initialization', onServer)
  }
}
