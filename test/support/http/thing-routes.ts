import { z } from 'zod'
import { RequestWarnings } from '../../../src/http/shapes/common.ts'
import type { FastifyApp } from '../../../src/http/fastify-app.ts'

export const THINGS = '/api/v1/things'

const Thing = z
  .object({
    title: z.string().min(1).max(50),
    isOpen: z.boolean(),
    count: z.number().int().optional(),
    place: z.object({ room: z.string(), floor: z.int().optional() }).optional(),
    /** Null has its own meaning. */
    owner: z.string().nullable().optional(),
  })
  .meta({ id: 'Thing' })

/** Test routes: one with a body, one with a path parameter, which is deprecated. */
export function thingRoutes(app: FastifyApp): void {
  app.post(
    THINGS,
    {
      config: { access: 'key', subject: 'none' },
      schema: {
        summary: 'Make a thing',
        tags: ['Account'],
        body: Thing,
        response: { 201: z.object({ thing: Thing, warnings: RequestWarnings }) },
      },
    },
    async (request, reply) => reply.code(201).send({ thing: request.body }),
  )
  app.get(
    `${THINGS}/:id`,
    {
      config: {
        access: 'key',
        subject: 'none',
        deprecated: { since: '2026-11-15', sunset: '2027-05-15' },
      },
      schema: {
        summary: 'One thing',
        tags: ['Account'],
        params: z.object({ id: z.string() }),
        querystring: z.object({ part: z.string().optional() }),
        response: { 200: z.object({ id: z.string() }) },
      },
    },
    async (request) => ({ id: request.params.id }),
  )
}
