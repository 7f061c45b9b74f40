import { z } from 'zod'
import { RequestWarnings } from '../../../src/http/shapes/common.ts'
import type { Db } from '../../../src/db/database.ts'
import type { FastifyApp } from '../../../src/http/fastify-app.ts'
import { MEETING_SURFACES } from '../../../src/http/pipeline/access/api-surfaces.ts'
import { defineRoutes } from '../../../src/http/pipeline/define-routes.ts'

export const ORDERS = '/api/v1/orders'

export type Orders = {
  /** One entry for each committed order. */
  effects: string[]
  /** Runs between the start of the request and its transaction. */
  beforeEffect: (item: string) => Promise<void>
  routes: (app: FastifyApp, db: Db) => void
}

type Order = { item: string; number: number }

/** A route whose only effect is one more entry in a list, so that tests can count how often the effect happens. */
export function createOrders(): Orders {
  const orders: Orders = {
    effects: [],
    beforeEffect: async () => {},
    routes(app, db) {
      defineRoutes(app, MEETING_SURFACES.publicApi, 'Account').idempotentPost('/orders', {
        subject: 'none',
        rateLimit: 'starts',
        summary: 'Order something',
        body: z.object({ item: z.string().min(1) }),
        status: 201,
        response: z.object({ item: z.string(), number: z.number(), warnings: RequestWarnings }),
        async run({ body: { item } }, beforeCommit: (tx: Db, order: Order) => Promise<void>) {
          await orders.beforeEffect(item)
          const number = orders.effects.length + 1
          await db.transaction().execute((tx) => beforeCommit(tx, { item, number }))
          orders.effects.push(item)
        },
        toResponse: (order) => order,
      })
    },
  }
  return orders
}
