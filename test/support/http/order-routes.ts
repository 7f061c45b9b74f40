import { z } from 'zod'
import { Warnings } from '../../../src/http/shapes/common.ts'
import type { FastifyApp } from '../../../src/http/fastify-app.ts'

export const ORDERS = '/api/v1/orders'

export type Orders = {
  /** One entry for each time the effect happened. */
  effects: string[]
  /** Runs between the start of the route and its effect. */
  beforeEffect: (item: string) => Promise<void>
  routes: (app: FastifyApp) => void
}

/** A route whose only effect is one more entry, to count how often the effect happens. */
export function createOrders(): Orders {
  const orders: Orders = {
    effects: [],
    beforeEffect: async () => {},
    routes(app) {
      app.post(
        ORDERS,
        {
          config: { access: 'key', idempotent: true, limit: 'starts' },
          schema: {
            summary: 'Order something',
            tags: ['Account'],
            body: z.object({ item: z.string().min(1) }),
            response: {
              201: z.object({ item: z.string(), number: z.number(), warnings: Warnings }),
            },
          },
        },
        async (request, reply) => {
          const { item } = request.body
          await orders.beforeEffect(item)
          const number = orders.effects.push(item)
          return reply.code(201).send({ item, number })
        },
      )
    },
  }
  return orders
}
